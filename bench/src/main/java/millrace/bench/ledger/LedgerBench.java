package millrace.bench.ledger;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import millrace.bench.process.BenchKafka;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Measurements;
import millrace.bench.process.Output;
import millrace.bench.process.TopicSize;

/**
 * Measures commands a second through the ledger, beside an exactly-once topology with the same settings that copies the
 * same commands through one store. Half of the commands request a report, half settle one. Each round is a new process.
 * The commands are written while nothing runs, so that no figure includes writing them.
 */
public final class LedgerBench {
    private static final double TARGET = 0.6;
    /** Reports that have been requested and not answered. */
    private static final int IN_HAND = 200;

    private LedgerBench() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--accounts 100 --warm-up 60000 --commands 80000 --rounds 3 --faster 4",
                "--warm-up 10000 --commands 10000 --rounds 1");
        var commands = new LedgerCommands(options.number("accounts"), true, false);
        List<Figure> ours = new ArrayList<>();
        List<Figure> copies = new ArrayList<>();
        // Each account has had a report before the measurement begins.
        int warmUp = Math.max(options.number("warm-up"), (1 + LedgerCommands.PER_REPORT) * commands.accounts());
        int measured = options.number("commands");
        int faster = options.number("faster"); // so that both take about as long
        try (var ledger = new LedgerSetup(BenchKafka.start(), commands);
                var copy = new LedgerSetup(BenchKafka.start(), commands)) {
            ledger.grant();
            copy.grant();
            for (int round = 0; round < options.number("rounds"); round++) {
                ours.add(round(LedgerMain.Program.LEDGER, ledger, warmUp, measured));
                copies.add(round(LedgerMain.Program.COPY, copy, faster * warmUp, faster * measured));
            }
        }
        print("ledger", ours);
        print("copy", copies);
        Output.print(
                "ledger: %.2f of the copying topology in commands a second (target %.1f), %.2f in records written, %.1f"
                        + " times its CPU",
                ratio(ours, copies, Figure::perSecond),
                TARGET,
                ratio(ours, copies, figure -> figure.perSecond() * figure.records()),
                ratio(ours, copies, Figure::cpu));
    }

    /**
     * @param perSecond commands
     * @param cpu microseconds per command, of the measured process
     * @param brokerCpu microseconds per command, of Kafka
     * @param records written per command, including those of the changelog and the markers of transactions
     * @param peakMemory bytes, of the measured process
     */
    private record Figure(double perSecond, double cpu, double brokerCpu, double records, long peakMemory) {}

    /** Starts a new process and waits until it has processed all commands of the round. */
    private static Figure round(LedgerMain.Program program, LedgerSetup setup, int warmUp, int measured)
            throws IOException, InterruptedException {
        setup.run((warmUp + measured) / LedgerCommands.PER_REPORT, IN_HAND);
        try (ChildProcess child = setup.start(program, "state")) {
            setup.awaitUndecided(measured);
            Sample first = Sample.of(setup, child);
            setup.awaitDecided();
            Sample last = Sample.of(setup, child);
            double commands = first.undecided - last.undecided;
            return new Figure(
                    commands / ((last.nanos - first.nanos) / 1e9),
                    last.cpu.minus(first.cpu).toNanos() / 1e3 / commands,
                    last.brokerCpu.minus(first.brokerCpu).toNanos() / 1e3 / commands,
                    (last.records - first.records) / commands,
                    child.peakMemory());
        }
    }

    private record Sample(long undecided, long nanos, Duration cpu, Duration brokerCpu, long records) {
        static Sample of(LedgerSetup setup, ChildProcess child) throws InterruptedException {
            // Of all topics but that of the commands, which is not written meanwhile, and Kafka's own.
            long records = TopicSize.all(setup.kafka().admin()).entrySet().stream()
                    .filter(topic -> !topic.getKey().startsWith("__"))
                    .mapToLong(topic -> topic.getValue().offsets())
                    .sum();
            return new Sample(
                    setup.undecided(),
                    System.nanoTime(),
                    child.cpu(),
                    setup.kafka().process().cpu(),
                    records);
        }
    }

    private static void print(String name, List<Figure> rounds) {
        Output.print(
                "%-8s %s commands a second, %s records written for each; CPU each: %s us, of Kafka %s us; peak memory %,d MB",
                name,
                of(rounds, Figure::perSecond),
                of(rounds, Figure::records),
                of(rounds, Figure::cpu),
                of(rounds, Figure::brokerCpu),
                rounds.stream().mapToLong(Figure::peakMemory).max().orElse(0) >> 20);
    }

    private static double ratio(List<Figure> ours, List<Figure> copies, Function<Figure, Double> what) {
        return of(ours, what).median() / of(copies, what).median();
    }

    private static Measurements of(List<Figure> rounds, Function<Figure, Double> what) {
        return Measurements.of(rounds.stream().map(what).toList());
    }
}
