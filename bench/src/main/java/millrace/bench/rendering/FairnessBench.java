package millrace.bench.rendering;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.KafkaMain;
import millrace.bench.process.Measurements;
import millrace.bench.process.ReportClient;
import millrace.bench.process.SingleGateway;
import millrace.bench.process.SingleProcessor;
import millrace.bench.process.TemporaryFolders;

/**
 * Measures the latency of small reports while a large one runs. One client each for the account of
 * the large report and for another account asks for five domains again and again, one report at a
 * time: alone first, then while a report of a thousand slices runs.
 */
public final class FairnessBench {
    private static final int SMALL = 5;

    private FairnessBench() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(arguments, "--domains 500000 --months 3 --reports 200 --warm-up 100");
        Path folder = Files.createTempDirectory("millrace-bench");
        DemographicsTable table = DemographicsTable.create(
                folder.resolve("warehouse"), options.number("domains"), options.number("months"));
        try (ChildProcess kafka = KafkaMain.start(folder.resolve("kafka"))) {
            measure(options, folder, KafkaMain.servers(kafka), table);
        } finally {
            TemporaryFolders.delete(folder);
        }
    }

    @SuppressWarnings("SystemOut")
    private static void measure(BenchOptions options, Path folder, String servers, DemographicsTable table)
            throws IOException, InterruptedException {
        try (SingleGateway gateway = SingleGateway.start(folder, servers, List.of("-Xmx256m"));
                ChildProcess processor = SingleProcessor.start(folder, servers, gateway, "-Xmx512m");
                HttpClient http = HttpClient.newHttpClient()) {
            var same = new ReportClient(gateway, SingleGateway.KEY, http);
            var other = new ReportClient(gateway, SingleGateway.OTHER_KEY, http);
            measure(table, List.of(same, other), options.number("warm-up"), null);
            List<Measurements> quiet = measure(table, List.of(same, other), options.number("reports"), null);

            String large = same.submit(table.request(0, table.domains()));
            while (same.status(large).path("progress").asDouble() == 0) {
                Thread.onSpinWait();
            }
            long start = System.nanoTime();
            List<Measurements> busy = measure(table, List.of(same, other), options.number("reports"), large);
            boolean ran = same.status(large).path("status").asText().equals("processing");
            double progress = same.status(large).path("progress").asDouble(1);
            print("another account", quiet.get(1), busy.get(1));
            print("the same account", quiet.get(0), busy.get(0));
            System.out.printf(
                    Locale.ROOT,
                    "the large report of %,d domains was %s after %d s of it, at %.0f %%; processor's peak memory %,d MB%n",
                    table.domains(),
                    ran ? "still running" : "done",
                    Duration.ofNanos(System.nanoTime() - start).toSeconds(),
                    progress * 100,
                    processor.peakMemory() >> 20);
        }
    }

    /** Ends early when the large report ends. */
    private static List<Measurements> measure(
            DemographicsTable table,
            List<ReportClient> clients,
            int reports,
            @org.jspecify.annotations.Nullable String large)
            throws IOException, InterruptedException {
        List<List<Double>> latencies = List.of(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < reports; i++) {
            for (int client = 0; client < clients.size(); client++) {
                int first = (i * 7_919 + client * 31) % (table.domains() - SMALL);
                latencies.get(client).add(clients.get(client).latency(table.request(first, SMALL)));
            }
            if (large != null
                    && !clients.getFirst().status(large).path("status").asText().equals("processing")) {
                break;
            }
        }
        return latencies.stream()
                .map(l -> Measurements.of(
                        l.stream().mapToDouble(Double::doubleValue).toArray()))
                .toList();
    }

    @SuppressWarnings("SystemOut")
    private static void print(String who, Measurements quiet, Measurements busy) {
        System.out.printf(
                Locale.ROOT,
                "%s: quiet p50 %.1f ms, p95 %.1f ms; beside the large report p50 %.1f ms, p95 %.1f ms: %.2f times at p95%n",
                who,
                quiet.median(),
                quiet.quantile(0.95),
                busy.median(),
                busy.quantile(0.95),
                busy.quantile(0.95) / quiet.quantile(0.95));
    }
}
