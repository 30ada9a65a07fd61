package millrace.bench.rendering;

import static millrace.bench.process.Output.print;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import millrace.bench.process.BenchAccounts;
import millrace.bench.process.BenchKafka;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Measurements;
import millrace.bench.process.ReportClient;
import millrace.bench.process.Service;
import millrace.bench.process.SingleGateway;

/**
 * Measures reports of very many rows: their time, the CPU of a row, and the peak memory of gateway and processor; and
 * small reports of another account beside them, one after the other. With {@code --split} they become files of at most so
 * many rows.
 */
public final class BigReportBench {
    private static final int SMALL = 5;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
    private static final Duration SOON = Duration.ofMillis(2);
    private static final String OTHER = "other";

    private BigReportBench() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        // 99,207 domains x 42 months x 12 rows: 50 million.
        var options = BenchOptions.parse(
                arguments,
                "--domains 99207 --months 42 --reports 1 --small 0 --warm-up 5 --split 0",
                "--domains 1000 --small 10");
        int reports = options.number("reports");
        int domains = options.number("domains");
        try (BenchKafka kafka = BenchKafka.start()) {
            DemographicsTable table = DemographicsTable.create(
                    kafka.folder().resolve("warehouse"), domains + reports, options.number("months"));
            Path unused = BenchAccounts.write(kafka.folder(), Stream.of(SingleGateway.ACCOUNT, OTHER));
            try (SingleGateway gateway = SingleGateway.start(kafka, kafka.folder(), List.of("-Xmx256m"));
                    ChildProcess processor = Service.PROCESSOR.launch(
                            kafka, kafka.folder(), List.of("-Xmx512m"), "--processor.standbys=0");
                    HttpClient http = HttpClient.newHttpClient()) {
                Service.awaitReady(processor);
                var client = new ReportClient(gateway, SingleGateway.KEY, http);
                var other = new ReportClient(gateway, BenchAccounts.key(OTHER), http);
                var unusedWarmUp = small(other, table, options.number("warm-up"));
                Measurements alone = small(other, table, options.number("small"));
                long start = System.nanoTime();
                Duration cpu = processor.cpu();
                List<String> ids = new ArrayList<>();
                for (int i = 0; i < reports; i++) {
                    ids.add(client.submit(split(table.request(i, domains), options.number("split"))));
                }
                while (options.number("small") > 0
                        && client.status(ids.getLast()).path("progress").asDouble() == 0) {
                    LockSupport.parkNanos(SOON.toNanos());
                }
                Measurements beside = small(other, table, options.number("small"));
                long rows = 0;
                long bytes = 0;
                boolean ended =
                        !client.status(ids.getLast()).path("status").asText().equals("processing");
                for (String id : ids) {
                    JsonNode status = client.ended(id, POLL_INTERVAL);
                    rows += status.path("row_count").asLong();
                    bytes += status.path("file_size").asLong();
                }
                double seconds = (System.nanoTime() - start) / 1e9;
                print(
                        "%,d rows, %,d MB in %.0f s: %,.0f rows a second, %.2f us of the processor's CPU per row",
                        rows,
                        bytes >> 20,
                        seconds,
                        rows / seconds,
                        processor.cpu().minus(cpu).toNanos() / 1e3 / rows);
                print(
                        "peak memory: gateway %,d MB at -Xmx256m, processor %,d MB at -Xmx512m with 512 MB for DuckDB",
                        gateway.process().peakMemory() >> 20, processor.peakMemory() >> 20);
                if (options.number("small") > 0) {
                    print(
                            "small reports of another account: p95 %.0f ms, beside these %.0f ms%s",
                            alone.quantile(0.95), beside.quantile(0.95), ended ? ", which ended before" : "");
                }
            }
        }
    }

    /** @param maxRows of a file; 0 for one file */
    private static String split(String request, int maxRows) {
        return maxRows == 0 ? request : request.replaceFirst("\\{", "{\"split\":{\"max_rows\":" + maxRows + "},");
    }

    /** Milliseconds from the POST of each report to the status that says complete. */
    private static Measurements small(ReportClient client, DemographicsTable table, int reports)
            throws IOException, InterruptedException {
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < reports; i++) {
            long start = System.nanoTime();
            String request = table.request((int) (i * 7_919L % (table.domains() - SMALL)), SMALL);
            JsonNode unused = client.ended(client.submit(request), SOON);
            millis.add((System.nanoTime() - start) / 1e6);
        }
        return Measurements.of(millis);
    }
}
