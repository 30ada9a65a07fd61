package millrace.bench.rendering;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.KafkaMain;
import millrace.bench.process.ReportClient;
import millrace.bench.process.SingleGateway;
import millrace.bench.process.SingleProcessor;
import millrace.bench.process.TemporaryFolders;

/**
 * Measures a report of very many rows: its time, the peak memory of gateway and processor, and the
 * peak disk usage of the report's files beside the size of the result.
 */
public final class BigReportBench {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

    private BigReportBench() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        // 99,207 domains x 42 months x 12 rows: 50 million.
        var options = BenchOptions.parse(arguments, "--domains 99207 --months 42");
        Path folder = Files.createTempDirectory("millrace-bench");
        DemographicsTable table = DemographicsTable.create(
                folder.resolve("warehouse"), options.number("domains"), options.number("months"));
        try (ChildProcess kafka = KafkaMain.start(folder.resolve("kafka"))) {
            measure(folder, KafkaMain.servers(kafka), table);
        } finally {
            TemporaryFolders.delete(folder);
        }
    }

    @SuppressWarnings("SystemOut")
    private static void measure(Path folder, String servers, DemographicsTable table)
            throws IOException, InterruptedException {
        try (SingleGateway gateway = SingleGateway.start(folder, servers, List.of("-Xmx256m"));
                ChildProcess processor = SingleProcessor.start(folder, servers, gateway, "-Xmx512m");
                HttpClient http = HttpClient.newHttpClient()) {
            var client = new ReportClient(gateway, SingleGateway.KEY, http);
            long start = System.nanoTime();
            String id = client.submit(table.request(0, table.domains()));
            long mostDisk = 0;
            JsonNode status = client.status(id);
            while (status.path("status").asText().equals("processing")) {
                mostDisk = Math.max(mostDisk, size(folder.resolve("reports").resolve(id)));
                Thread.sleep(POLL_INTERVAL);
                status = client.status(id);
            }
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            client.ended(id, POLL_INTERVAL);
            long rows = status.path("row_count").asLong();
            long bytes = status.path("file_size").asLong();
            System.out.printf(
                    Locale.ROOT,
                    "%,d rows, %,d MB in %d s: %,.0f rows a second, %.2f us of the processor's CPU per row%n",
                    rows,
                    bytes >> 20,
                    took.toSeconds(),
                    rows / (took.toMillis() / 1e3),
                    processor.cpu().toNanos() / 1e3 / rows);
            System.out.printf(
                    Locale.ROOT,
                    "disk at most %,d MB: %.2f times the result; peak memory: gateway %,d MB at -Xmx256m, processor %,d MB"
                            + " at -Xmx512m with 512 MB for DuckDB%n",
                    mostDisk >> 20,
                    (double) mostDisk / bytes,
                    gateway.process().peakMemory() >> 20,
                    processor.peakMemory() >> 20);
        }
    }

    private static long size(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.toList();
        } catch (java.io.UncheckedIOException e) {
            return 0;
        }
        long size = 0;
        for (Path file : files) {
            try {
                size += Files.isRegularFile(file) ? Files.size(file) : 0;
            } catch (NoSuchFileException e) {
                // The file was deleted meanwhile.
            }
        }
        return size;
    }
}
