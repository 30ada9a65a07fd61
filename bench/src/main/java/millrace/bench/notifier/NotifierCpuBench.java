package millrace.bench.notifier;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.FlightRecording;
import millrace.bench.process.Measurements;
import millrace.bench.process.ThreadUse;

/**
 * Measures the CPU time of one webhook delivery including the exactly-once state: saturated on one
 * core by waiting events, then at a steady rate on all cores.
 */
public final class NotifierCpuBench {
    private static final double TARGET_MICROS = 150;
    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    private static final String OWN = "all but compilers, collector";
    private static final String COMPILERS = "compilers";
    private static final String COLLECTOR = "collector, VM thread";
    /** What threads do, by how their names begin. */
    private static final Map<String, String> PARTS = Map.of(
            "notifier", "loop",
            "webhooks", "sender",
            "kafka-", "threads of Kafka clients",
            "ForkJoinPool-1-", "virtual threads",
            "C1 Compiler", COMPILERS,
            "C2 Compiler", COMPILERS,
            "G1 ", COLLECTOR,
            "GC ", COLLECTOR,
            "VM ", COLLECTOR);

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
                "--endpoints 200 --warm-up 100000 --rounds 5 --events 40000 --rate 1000 --seconds 10 --heap 512m --sender-threads 0 --profile none",
                "--warm-up 5000 --rounds 3 --events 2000 --seconds 2");
        try (var stage = new NotifierSetup(options.number("endpoints"))) {
            var bench = new NotifierCpuBench(stage, options);
            bench.saturated();
            bench.steady();
        }
    }

    @SuppressWarnings("SystemOut")
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
            stage.awaitCount(warmUp, TIMEOUT);
            List<Double> micros = new ArrayList<>();
            List<Double> perSecond = new ArrayList<>();
            for (int round = 1; round <= rounds; round++) {
                long before = stage.count().requests();
                long from = System.nanoTime();
                Duration cpu = notifier.cpu();
                long after = stage.awaitCount(warmUp + (long) round * events, TIMEOUT)
                        .requests();
                micros.add(notifier.cpu().minus(cpu).toNanos() / 1e3 / (after - before));
                perSecond.add((after - before) / ((System.nanoTime() - from) / 1e9));
            }
            System.out.printf(
                    Locale.ROOT,
                    "%,d events of %d bytes wait for %d endpoints, one core%s%n",
                    sent,
                    BenchEvents.BODY_BYTES,
                    endpoints,
                    pinned ? "" : " (not pinned: there is no taskset)");
            print("CPU per delivery, us", micros);
            print("deliveries a second", perSecond);
            FlightRecording.of(options).dump(notifier, "saturated");
        }
        if (pinned) {
            stage.pin("0-" + (Runtime.getRuntime().availableProcessors() - 1));
        }
    }

    @SuppressWarnings("SystemOut")
    private void steady() throws IOException, InterruptedException {
        int rate = options.number("rate");
        int seconds = options.number("seconds");
        try (ChildProcess notifier = notifier(List.of());
                var producer = stage.producer(5)) {
            send(options.number("warm-up"));
            stage.awaitCount(sent, TIMEOUT);
            List<Double> micros = new ArrayList<>();
            Map<String, List<Double>> parts = new TreeMap<>();
            for (int round = 0; round <= options.number("rounds"); round++) {
                Duration cpu = notifier.cpu();
                Map<String, ThreadUse> threads = notifier.threads();
                int count = rate * seconds;
                BenchEvents.steadily(producer, rate, count, (i, due) -> event(sent + i));
                sent += count;
                stage.awaitCount(sent, TIMEOUT);
                TimeUnit.MILLISECONDS.sleep(100); // for the last commit
                if (round > 0) {
                    micros.add(notifier.cpu().minus(cpu).toNanos() / 1e3 / count);
                    byPart(threads, notifier.threads())
                            .forEach((part, time) -> parts.computeIfAbsent(part, p -> new ArrayList<>())
                                    .add(time.toNanos() / 1e3 / count));
                }
            }
            print("CPU per delivery at " + rate + "/s, us", micros);
            parts.forEach(
                    (part, values) -> System.out.printf(Locale.ROOT, "  %-30s %s%n", part, Measurements.of(values)));
            FlightRecording.of(options).dump(notifier, "steady");
        }
    }

    /** What the threads have used between two looks, by what they do, and together without those of the JVM. */
    private static Map<String, Duration> byPart(Map<String, ThreadUse> before, Map<String, ThreadUse> after) {
        Map<String, Duration> parts = new HashMap<>();
        ThreadUse.between(before, after, NotifierCpuBench::part).forEach((part, used) -> {
            parts.put(part, used.cpu());
            if (!part.equals(COMPILERS) && !part.equals(COLLECTOR)) {
                parts.merge(OWN, used.cpu(), Duration::plus);
            }
        });
        return parts;
    }

    private static String part(String thread) {
        return PARTS.entrySet().stream()
                .filter(known -> thread.startsWith(known.getKey()))
                .findFirst()
                .map(Map.Entry::getValue)
                .orElse("others");
    }

    private void send(int count) {
        try (var producer = stage.producer(20)) {
            BenchEvents.atOnce(producer, count, i -> event(sent + i));
        }
        sent += count;
    }

    private millrace.contracts.delivery.DeliveryCommand.Deliver event(int number) {
        int endpoint = number % endpoints;
        return BenchEvents.event("a" + endpoint, stage.url(endpoint, "fine", 0), new UUID(1, number), 1);
    }

    private ChildProcess notifier(List<String> prefix, String... jvmOptions) throws IOException, InterruptedException {
        List<String> all = FlightRecording.of(options).with(jvmOptions);
        all.addFirst("-Xmx" + options.text("heap"));
        return stage.notifier(prefix, all, "--notifier.sender-threads", options.text("sender-threads"));
    }

    @SuppressWarnings("SystemOut")
    private static void print(String what, List<Double> values) {
        Measurements spread = Measurements.of(values);
        String share = what.startsWith("CPU")
                ? String.format(
                        Locale.ROOT, ", %.2f times the target of %.0f", spread.median() / TARGET_MICROS, TARGET_MICROS)
                : "";
        System.out.printf(Locale.ROOT, "%-32s %s%s%n", what, spread, share);
    }
}
