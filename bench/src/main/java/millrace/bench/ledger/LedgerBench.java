package millrace.bench.ledger;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import millrace.bench.ledger.LedgerSetup.Figure;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.FlightRecording;
import millrace.bench.process.Measurements;

/**
 * Measures commands a second through the ledger, beside an exactly-once topology with the same
 * settings that copies the same commands through one store. Half of the commands request a report,
 * half settle one. Each round is a new process.
 */
public final class LedgerBench {
    private static final double TARGET = 0.6;

    private LedgerBench() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--accounts 100 --warm-up 60000 --commands 80000 --rounds 3 --faster 4 --webhooks true --profile none",
                "--warm-up 10000 --commands 10000 --rounds 1");
        var commands = new LedgerCommands(options.number("accounts"), Boolean.parseBoolean(options.text("webhooks")));
        var profile = FlightRecording.of(options);
        List<Figure> ours = new ArrayList<>();
        List<Figure> copies = new ArrayList<>();
        int warmUp = options.number("warm-up");
        int measured = options.number("commands");
        int faster = options.number("faster"); // so that both take about as long
        try (var ledger = new LedgerSetup(LedgerMain.Program.LEDGER, commands, profile);
                var copy = new LedgerSetup(LedgerMain.Program.COPY, commands, profile)) {
            for (int round = 0; round < options.number("rounds"); round++) {
                ours.add(ledger.round(warmUp, measured));
                copies.add(copy.round(faster * warmUp, faster * measured));
            }
        }
        print("ledger", ours);
        print("copy", copies);
        print(ours, copies);
    }

    @SuppressWarnings("SystemOut")
    private static void print(String name, List<Figure> rounds) {
        System.out.printf(
                Locale.ROOT,
                "%-8s %s commands a second, %s records written for each; CPU each: %s us, of Kafka %s us; peak memory %,d MB%n",
                name,
                Measurements.of(rounds.stream().map(Figure::perSecond).toList()),
                Measurements.of(rounds.stream().map(Figure::records).toList()),
                Measurements.of(rounds.stream().map(Figure::cpu).toList()),
                Measurements.of(rounds.stream().map(Figure::brokerCpu).toList()),
                rounds.stream().mapToLong(Figure::peakMemory).max().orElse(0) >> 20);
    }

    @SuppressWarnings("SystemOut")
    private static void print(List<Figure> ours, List<Figure> copies) {
        System.out.printf(
                Locale.ROOT,
                "ledger: %.2f of the copying topology in commands a second (target %.1f), %.2f in records written, %.1f times"
                        + " its CPU%n",
                ratio(ours, copies, Figure::perSecond),
                TARGET,
                ratio(ours, copies, figure -> figure.perSecond() * figure.records()),
                ratio(ours, copies, Figure::cpu));
    }

    private static double ratio(List<Figure> ours, List<Figure> copies, Function<Figure, Double> what) {
        return Measurements.of(ours.stream().map(what).toList()).median()
                / Measurements.of(copies.stream().map(what).toList()).median();
    }
}
