package millrace.bench;

import static millrace.bench.process.Output.print;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import millrace.bench.process.BenchAccounts;
import millrace.bench.process.BenchKafka;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Cluster;
import millrace.bench.process.HttpLoad;
import millrace.bench.process.Measurements;
import millrace.bench.process.ReportClient;
import millrace.bench.process.Service;
import millrace.bench.process.SingleGateway;
import millrace.bench.rendering.DemographicsTable;
import millrace.contracts.topics.Topic;

/**
 * Measures what many partitions cost, beside a few in the same run: CPU and memory of processes that have nothing to do,
 * small reports at a small rate, and the time from the kill of a processor until a report has been made in each of its
 * partitions. A broker, a gateway, a notifier and some processors run as processes of their own.
 */
public final class PartitionsBench {
    private static final String GATEWAY = "gateway-1";
    private static final String VICTIM = "processor-1";
    private static final int DOMAINS = 1000;
    private static final int MONTHS = 10;
    /** Between two looks at a status. */
    private static final Duration SOON = Duration.ofMillis(5);
    /** While many reports wait, so that the looks cost little. */
    private static final Duration WAITING = Duration.ofMillis(200);

    private final HttpClient http = HttpClient.newHttpClient();
    private final BenchOptions options;
    private final BenchKafka kafka;
    private final Cluster cluster;
    private final DemographicsTable table;
    /** One for each partition of the commands. */
    private final List<String> accounts;

    private PartitionsBench(BenchOptions options, BenchKafka kafka, Cluster cluster) throws IOException {
        this.options = options;
        this.kafka = kafka;
        this.cluster = cluster;
        this.table = DemographicsTable.create(kafka.folder().resolve("warehouse"), DOMAINS, MONTHS);
        this.accounts = accounts(kafka.partitions());
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--partitions 256 --beside 6 --processors 3 --rate 20 --warm-up 30 --settle 60 --idle 30 --seconds 30 --rounds 1",
                "--partitions 24 --processors 2 --warm-up 5 --settle 5 --idle 5 --seconds 5");
        for (int partitions : List.of(options.number("beside"), options.number("partitions"))) {
            try (BenchKafka kafka = BenchKafka.start(partitions, "1g");
                    var cluster = new Cluster(kafka)) {
                new PartitionsBench(options, kafka, cluster).measure();
            }
        }
    }

    private static List<String> accounts(int partitions) {
        Map<Integer, String> found = new TreeMap<>();
        for (int i = 0; found.size() < partitions; i++) {
            found.putIfAbsent(Topic.partition("a" + i, partitions), "a" + i);
        }
        return List.copyOf(found.values());
    }

    private void measure() throws IOException, InterruptedException {
        long started = System.nanoTime();
        int processors = options.number("processors");
        Path unused = BenchAccounts.write(kafka.folder(), accounts.stream());
        cluster.start(Service.GATEWAY, List.of(GATEWAY), List.of("-Xmx512m"));
        cluster.start(Service.PROCESSOR, Cluster.names(Service.PROCESSOR, processors), List.of("-Xmx512m"));
        cluster.start(Service.NOTIFIER, Cluster.names(Service.NOTIFIER, 1), List.of("-Xmx256m"));
        cluster.awaitShares(Service.PROCESSOR, kafka.partitions() / processors);
        print(
                "%d partitions, %d processors: all are ready after %.1f s",
                kafka.partitions(), processors, seconds(started));
        reports(options.number("warm-up"));
        // Until the leases of the last reports, and the marks of the data that they read, are over.
        TimeUnit.SECONDS.sleep(options.number("settle"));
        idle();
        for (int round = 1; round <= options.number("rounds"); round++) {
            steadyReports();
        }
        takeOver();
    }

    private Map<String, ChildProcess> processes() {
        Map<String, ChildProcess> all = new TreeMap<>(cluster.processes());
        all.put("kafka", kafka.process());
        return all;
    }

    private Map<String, Duration> cpu() {
        Map<String, Duration> all = new TreeMap<>();
        processes().forEach((name, process) -> all.put(name, process.cpu()));
        return all;
    }

    private void steadyReports() throws InterruptedException {
        Map<String, Duration> before = cpu();
        int count = options.number("rate") * options.number("seconds");
        Measurements millis = reports(options.number("seconds"));
        print(
                "  %d reports a second, from POST to complete: p50 %.0f ms, p95 %.0f ms",
                options.number("rate"), millis.median(), millis.quantile(0.95));
        Map<String, Duration> after = cpu();
        before.forEach((name, cpu) -> print(
                "  %-12s %.1f ms of CPU for a report",
                name, Objects.requireNonNull(after.get(name)).minus(cpu).toNanos() / 1e6 / count));
    }

    private void idle() throws InterruptedException {
        Map<String, Duration> before = cpu();
        long started = System.nanoTime();
        TimeUnit.SECONDS.sleep(options.number("idle"));
        double took = seconds(started);
        processes()
                .forEach((name, process) -> print(
                        "  %-12s idle: %4.1f %% of a core, %,d MB resident",
                        name,
                        process.cpu()
                                        .minus(before.getOrDefault(name, Duration.ZERO))
                                        .toNanos()
                                / 1e7
                                / took,
                        process.residentMemory() >> 20));
    }

    /** Has reports made at the rate, by accounts in all partitions in turn; the times from when each was due. */
    private Measurements reports(int seconds) throws InterruptedException {
        List<Integer> partitions = IntStream.range(0, options.number("rate") * seconds)
                .mapToObj(i -> i % kafka.partitions())
                .toList();
        return reports(partitions, false);
    }

    private void takeOver() throws InterruptedException {
        List<Integer> owned = List.copyOf(
                Objects.requireNonNull(cluster.owned(Service.PROCESSOR).get(VICTIM)));
        cluster.kill(VICTIM);
        Measurements millis = reports(owned, true);
        print(
                "  %s killed: its %d partitions made their next reports after %.1f s, the last after %.1f s",
                VICTIM, owned.size(), millis.median() / 1e3, millis.quantile(1) / 1e3);
    }

    /**
     * @param partitions in the order of the reports
     * @param fromNow whether times begin now, and not when each report is due
     */
    private Measurements reports(List<Integer> partitions, boolean fromNow) throws InterruptedException {
        SingleGateway gateway = cluster.gateways().getFirst();
        long started = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Double>> reports = new ArrayList<>();
            for (int i = 0; i < partitions.size(); i++) {
                String key = BenchAccounts.key(accounts.get(partitions.get(i)));
                String request = table.request(i * 7 % (DOMAINS - 5), 5); // 600 rows
                long due = started + i * 1_000_000_000L / options.number("rate");
                HttpLoad.parkUntil(due);
                reports.add(threads.submit(() -> {
                    var client = new ReportClient(gateway, key, http);
                    JsonNode unused = client.ended(client.submit(request), fromNow ? WAITING : SOON);
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

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
