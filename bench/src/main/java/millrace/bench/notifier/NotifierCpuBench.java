package millrace.bench.notifier;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Measurements;
import millrace.bench.process.Output;
import millrace.contracts.delivery.DeliveryCommand.Deliver;

/**
 * Measures the CPU time of one webhook delivery including the exactly-once state: saturated on one
 * core by waiting events, then at a steady rate on all cores.
 */
public final class NotifierCpuBench {
    private static final double TARGET_MICROS = 150;
    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    private static final String OWN = "  without compilers, collector";
    /** Threads of the JVM that compile, collect or stop the others, by how their names begin. */
    private static final List<String> OF_JVM = List.of("C1 ", "C2 ", "G1 ", "GC ", "VM ");

    private final NotifierSetup stage;
    private final BenchOptions options;
    private final int endpoints;
    private int sent;

    private NotifierCpuBench(NotifierSetup stage, BenchOptions options) {
        this.stage = stage;
        this.options = options;
        this.endpoints = options.number("endpoints");
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--endpoints 200 --warm-up 100000 --rounds 5 --events 40000 --rate 1000 --seconds 10 --heap 512m",
                "--warm-up 5000 --rounds 3 --events 2000 --seconds 2");
        try (var stage = new NotifierSetup(options.number("endpoints"))) {
            var bench = new NotifierCpuBench(stage, options);
            bench.saturated();
            bench.steady();
        }
    }

    private void saturated() throws IOException, InterruptedException {
        int warmUp = options.number("warm-up");
        int events = options.number("events");
        int rounds = options.number("rounds");
        send(warmUp + rounds * events);
        boolean pinned = Runtime.getRuntime().availableProcessors() > 1 && Files.exists(Path.of("/usr/bin/taskset"));
        if (pinned) {
            stage.pin("1-" + (Runtime.getRuntime().availableProcessors() - 1));
        }
        try (ChildProcess notifier = notifier(pinned ? List.of("taskset", "-c", "0") : List.of(), "-XX:+UseSerialGC")) {
            stage.receivers().awaitCount(warmUp, TIMEOUT);
            List<Double> micros = new ArrayList<>();
            List<Double> own = new ArrayList<>();
            List<Double> perSecond = new ArrayList<>();
            for (int round = 1; round <= rounds; round++) {
                long before = stage.receivers().count().requests();
                long from = System.nanoTime();
                Duration cpu = notifier.cpu();
                Map<String, Long> threads = notifier.threads();
                long after = stage.receivers()
                        .awaitCount(warmUp + (long) round * events, TIMEOUT)
                        .requests();
                micros.add(notifier.cpu().minus(cpu).toNanos() / 1e3 / (after - before));
                own.add(own(threads, notifier.threads()) / (after - before));
                perSecond.add((after - before) / ((System.nanoTime() - from) / 1e9));
            }
            Output.print(
                    "%,d events of %d bytes wait for %d endpoints, one core%s",
                    sent, BenchEvents.BODY_BYTES, endpoints, pinned ? "" : " (not pinned: there is no taskset)");
            print("CPU per delivery, us", micros);
            print(OWN, own);
            print("deliveries a second", perSecond);
        }
        if (pinned) {
            stage.pin("0-" + (Runtime.getRuntime().availableProcessors() - 1));
        }
    }

    private void steady() throws IOException, InterruptedException {
        int rate = options.number("rate");
        int seconds = options.number("seconds");
        try (ChildProcess notifier = notifier(List.of());
                var producer = stage.producer(5)) {
            send(options.number("warm-up"));
            stage.receivers().awaitCount(sent, TIMEOUT);
            List<Double> micros = new ArrayList<>();
            List<Double> own = new ArrayList<>();
            for (int round = 0; round <= options.number("rounds"); round++) {
                Duration cpu = notifier.cpu();
                Map<String, Long> threads = notifier.threads();
                int count = rate * seconds;
                BenchEvents.steadily(producer, rate, count, (i, due) -> event(sent + i));
                sent += count;
                stage.receivers().awaitCount(sent, TIMEOUT);
                TimeUnit.MILLISECONDS.sleep(100); // for the last commit
                if (round > 0) {
                    micros.add(notifier.cpu().minus(cpu).toNanos() / 1e3 / count);
                    own.add(own(threads, notifier.threads()) / count);
                }
            }
            print("CPU per delivery at " + rate + "/s, us", micros);
            print(OWN, own);
        }
    }

    /** Microseconds. */
    private static double own(Map<String, Long> before, Map<String, Long> after) {
        return 1e3 * ChildProcess.millis(before, after, name -> OF_JVM.stream().noneMatch(name::startsWith));
    }

    private void send(int count) {
        try (var producer = stage.producer(20)) {
            BenchEvents.atOnce(producer, count, i -> event(sent + i));
        }
        sent += count;
    }

    private Deliver event(int number) {
        int endpoint = number % endpoints;
        return BenchEvents.event("a" + endpoint, stage.receivers().url(endpoint, "fine", 0), new UUID(1, number), 1);
    }

    private ChildProcess notifier(List<String> prefix, String... jvmOptions) throws IOException, InterruptedException {
        List<String> all = Stream.concat(Stream.of("-Xmx" + options.text("heap")), Stream.of(jvmOptions))
                .toList();
        return stage.notifier(prefix, all);
    }

    private static void print(String what, List<Double> values) {
        Measurements spread = Measurements.of(values);
        String share = what.startsWith("CPU")
                ? String.format(
                        Locale.ROOT, ", %.2f times the target of %.0f", spread.median() / TARGET_MICROS, TARGET_MICROS)
                : "";
        Output.print("%-32s %s%s", what, spread, share);
    }
}
