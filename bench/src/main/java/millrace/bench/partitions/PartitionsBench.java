package millrace.bench.partitions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Measurements;
import millrace.bench.process.ReportClient;
import millrace.bench.process.TemporaryFolders;
import millrace.bench.process.ThreadUse;

/**
 * Measures what many partitions cost, beside a few in the same run: CPU and memory of processes that have nothing to do,
 * small reports at a small rate, and the time from the kill of a processor until a report has been made in each of its
 * partitions. A broker, a gateway, a notifier and some processors run as processes of their own.
 */
public final class PartitionsBench {
    private static final String VICTIM = "processor-1";
    /** Between two looks at a status, in milliseconds. */
    private static final int SOON = 5;
    /** While many reports wait, so that the looks cost little. */
    private static final int WAITING = 200;

    private final BenchOptions options;
    private final PartitionedCluster cluster;

    private PartitionsBench(BenchOptions options, PartitionedCluster cluster) {
        this.options = options;
        this.cluster = cluster;
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--partitions 256 --beside 6 --processors 3 --rate 20 --warm-up 30 --settle 60 --idle 30 --seconds 30 --rounds 1 --threads 0 --settings none",
                "--partitions 24 --processors 2 --warm-up 5 --settle 5 --idle 5 --seconds 5");
        for (int partitions : List.of(options.number("beside"), options.number("partitions"))) {
            Path folder = Files.createTempDirectory("millrace-partitions");
            long started = System.nanoTime();
            try (var cluster = PartitionedCluster.start(
                    folder, partitions, options.number("processors"), settings(options.text("settings")))) {
                System.out.printf(
                        Locale.ROOT,
                        "%d partitions, %d processors: all are ready after %.1f s%n",
                        partitions,
                        options.number("processors"),
                        seconds(started));
                new PartitionsBench(options, cluster).measure();
            }
            TemporaryFolders.delete(folder);
        }
    }

    /** Settings of all services, for example {@code kafka.client.metadata.max.age.ms=10000}, separated by commas. */
    private static List<String> settings(String text) {
        return text.equals("none")
                ? List.of()
                : Arrays.stream(text.split(",", -1))
                        .map(setting -> "--" + setting)
                        .toList();
    }

    @SuppressWarnings("SystemOut")
    private void measure() throws InterruptedException {
        reports(options.number("warm-up"));
        // Until the leases of the last reports, and the marks of the data that they read, are over.
        pause(options.number("settle"));
        idle();
        for (int round = 1; round <= options.number("rounds"); round++) {
            steadyReports();
        }
        takeOver();
    }

    @SuppressWarnings("SystemOut")
    private void steadyReports() throws InterruptedException {
        Map<String, Duration> cpu = cluster.cpu();
        Map<String, Map<String, ThreadUse>> threads = new LinkedHashMap<>();
        cluster.parts().forEach((name, process) -> threads.put(name, process.threads()));
        int count = options.number("rate") * options.number("seconds");
        Measurements millis = reports(options.number("seconds"));
        System.out.printf(
                Locale.ROOT,
                "  %d reports a second, from POST to complete: p50 %.0f ms, p95 %.0f ms%n",
                options.number("rate"),
                millis.median(),
                millis.quantile(0.95));
        cluster.cpu().forEach((name, now) -> {
            System.out.printf(
                    Locale.ROOT,
                    "  %-12s %.1f ms of CPU for a report%n",
                    name,
                    now.minus(Objects.requireNonNull(cpu.get(name))).toNanos() / 1e6 / count);
            ThreadUse.print(
                    ThreadUse.between(
                            Objects.requireNonNull(threads.get(name)),
                            cluster.part(name).threads()),
                    options.number("threads"),
                    count);
        });
    }

    @SuppressWarnings("SystemOut")
    private void idle() throws InterruptedException {
        Map<String, Duration> before = cluster.cpu();
        long started = System.nanoTime();
        pause(options.number("idle"));
        double took = seconds(started);
        before.forEach((name, cpu) -> {
            ChildProcess process = cluster.part(name);
            System.out.printf(
                    Locale.ROOT,
                    "  %-12s idle: %4.1f %% of a core, %,d MB resident%n",
                    name,
                    process.cpu().minus(cpu).toNanos() / 1e7 / took,
                    process.residentMemory() >> 20);
        });
    }

    /** Has reports made at the rate, by accounts in all partitions in turn; the times from when each was due. */
    private Measurements reports(int seconds) throws InterruptedException {
        int count = options.number("rate") * seconds;
        List<Integer> partitions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            partitions.add(i % cluster.partitions());
        }
        return reports(partitions, false);
    }

    @SuppressWarnings("SystemOut")
    private void takeOver() throws InterruptedException {
        List<Integer> owned = List.copyOf(cluster.partitionsOf(VICTIM));
        cluster.part(VICTIM).kill();
        Measurements millis = reports(owned, true);
        System.out.printf(
                Locale.ROOT,
                "  %s killed: its %d partitions made their next reports after %.1f s, the last after %.1f s%n",
                VICTIM,
                owned.size(),
                millis.median() / 1e3,
                millis.quantile(1) / 1e3);
    }

    /**
     * @param partitions in the order of the reports
     * @param fromNow whether times begin now, and not when each report is due
     */
    private Measurements reports(List<Integer> partitions, boolean fromNow) throws InterruptedException {
        long started = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Double>> reports = new ArrayList<>();
            for (int i = 0; i < partitions.size(); i++) {
                int number = i;
                long due = started + i * 1_000_000_000L / options.number("rate");
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                reports.add(threads.submit(() -> {
                    ReportClient client = cluster.client(partitions.get(number));
                    client.ended(client.submit(cluster.request(number)), Duration.ofMillis(fromNow ? WAITING : SOON));
                    return seconds(fromNow ? started : due) * 1e3;
                }));
            }
            List<Double> millis = new ArrayList<>();
            for (Future<Double> report : reports) {
                millis.add(report.get());
            }
            return Measurements.of(millis);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a report was not made", e.getCause());
        }
    }

    private static void pause(int seconds) {
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
