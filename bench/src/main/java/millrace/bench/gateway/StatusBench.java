package millrace.bench.gateway;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.FlightRecording;
import millrace.bench.process.HttpLoad;
import millrace.bench.process.KafkaMain;
import millrace.bench.process.Measurements;
import millrace.bench.process.SingleGateway;
import millrace.bench.process.TemporaryFolders;
import millrace.contracts.Hashes;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.topics.RequestRecord;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.reports.HistoryCursor;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Measures status reads a second with a million reports in the read model, beside a bare GET of the
 * same stack. Also measures how long a gateway takes to fold them at its start, and to start again
 * with its folder, its memory, its files, and pages of the history. The newest reports are polled,
 * as clients do, and then random ones, closed loop, medians of the rounds.
 */
public final class StatusBench {
    /** Connections that ask for pages: how long one takes matters there, not how many a machine makes. */
    private static final int FEW = 2;

    private static final Instant TIME = Instant.parse("2026-11-01T12:00:00Z");

    private StatusBench() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--reports 1000000 --newest 20000 --seconds 10 --rounds 3 --connections 64 --heap 512m --profile none",
                "--reports 20000 --seconds 3 --rounds 1");
        var profile = FlightRecording.of(options);
        int reports = options.number("reports");
        Path folder = Files.createTempDirectory("millrace-bench");
        try (ChildProcess kafka = KafkaMain.start(folder.resolve("kafka"))) {
            String servers = KafkaMain.servers(kafka);
            fill(servers, reports);
            List<String> jvm = profile.with("-Xmx" + options.text("heap"));
            try (SingleGateway gateway = started("without its folder", folder, servers, jvm);
                    ChildProcess bare = ChildProcess.start(
                            BareMain.class, List.of("-Xmx512m"), servers, Topics.COMMAND_DEAD_LETTERS.name(), "1")) {
                check(gateway);
                long ready = System.nanoTime();
                gateway.awaitActivity(SingleGateway.KEY);
                System.out.printf(
                        Locale.ROOT, "activity store built %.1f s after that%n", (System.nanoTime() - ready) / 1e9);
                System.out.printf(
                        Locale.ROOT,
                        "%,d bytes of files for each report%n",
                        bytes(folder.resolve("read-model")) / reports);
                String line = bare.await(BareMain.SAYS, Duration.ofMinutes(1));
                URI get = URI.create(line.substring(line.indexOf("http://")) + "/bare");
                int newest = Math.min(reports, options.number("newest"));
                int connections = options.number("connections");
                double theirs = measure(options, "bare", connections, number -> HttpLoad.request(get)
                        .build());
                double cached = measure(
                        options,
                        "status of the newest",
                        connections,
                        number -> status(gateway, reports - 1 - number % newest));
                profile.dump(gateway.process(), "status");
                double any = measure(
                        options,
                        "status of any",
                        connections,
                        number -> status(gateway, Math.floorMod(number * 7_919, (long) reports)));
                double unused = measure(
                        options,
                        "history of 100",
                        FEW,
                        number -> history(gateway, Math.floorMod(number * 7_919, (long) reports)));
                System.out.printf(
                        Locale.ROOT,
                        "status: %.2f of bare for the newest %,d, %.2f for any; peak memory %,d MB%n",
                        cached / theirs,
                        newest,
                        any / theirs,
                        gateway.process().peakMemory() >> 20);
            }
            started("with its folder", folder, servers, jvm).close();
        } finally {
            TemporaryFolders.delete(folder);
        }
    }

    @SuppressWarnings("SystemOut")
    private static SingleGateway started(String how, Path folder, String servers, List<String> jvm)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        SingleGateway gateway = SingleGateway.start(folder, servers, jvm);
        System.out.printf(
                Locale.ROOT,
                "ready %.1f s after a start %s, peak memory %,d MB%n",
                (System.nanoTime() - start) / 1e9,
                how,
                gateway.process().peakMemory() >> 20);
        return gateway;
    }

    private static HttpRequest status(SingleGateway gateway, long report) {
        return gateway.request("/v3/batch/request-status/" + id(report)).build();
    }

    private static HttpRequest history(SingleGateway gateway, long report) {
        String cursor = new HistoryCursor(TIME.plusMillis(report).toEpochMilli(), id(report)).text();
        return gateway.request("/v3/batch/report-history?limit=100&cursor=" + cursor)
                .build();
    }

    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // flush and close tell
    private static void fill(String servers, int reports) {
        try (var producer = KafkaMain.producer(servers, 20, 1 << 18)) {
            for (int i = 0; i < reports; i++) {
                ReportStatus status = status(i);
                var record = new ProducerRecord<>(
                        Topics.REPORT_STATUS.name(),
                        status.accountId() + "/" + status.reportId(),
                        Topics.REPORT_STATUS.encode(status));
                new RequestRecord(status.submittedAt(), null).addTo(record.headers());
                producer.send(record);
            }
        }
    }

    private static ReportStatus status(int number) {
        UUID id = id(number);
        String hash = Hashes.sha256(id.toString());
        var file = new StoredFile(id + "/1/0-" + hash.substring(0, 8), 48_000 + number % 1000, hash);
        return new ReportStatus(
                SingleGateway.ACCOUNT,
                id,
                "demographics",
                Status.COMPLETE,
                ApiDialect.V3,
                1,
                2,
                TIME.plusMillis(number),
                TIME.plusMillis(number + 120L),
                208,
                null,
                new ReportStatus.Result(new ResultCounts(900, 1800, 0), 180, file, TIME.plus(Duration.ofDays(400))),
                null,
                new ReportStatus.Receipt(
                        208, 180, 28, "1 credit per result", List.of(id + ".1.reservation", id + ".1.settlement")));
    }

    private static UUID id(long number) {
        return UUID.nameUUIDFromBytes(("report-" + number).getBytes(StandardCharsets.UTF_8));
    }

    private static void check(SingleGateway gateway) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest one =
                    gateway.request("/v3/batch/request-status/" + id(0)).build();
            String body = http.send(one, BodyHandlers.ofString()).body();
            if (!body.contains("\"complete\"")) {
                throw new IllegalStateException("unexpected: " + body);
            }
        }
    }

    @SuppressWarnings("SystemOut")
    private static double measure(
            BenchOptions options, String name, int connections, LongFunction<HttpRequest> requests)
            throws InterruptedException {
        var load = new HttpLoad(requests);
        Duration duration = Duration.ofSeconds(options.number("seconds"));
        load.closed(connections, duration);
        var perSecond = new double[options.number("rounds")];
        for (int i = 0; i < perSecond.length; i++) {
            HttpLoad.Result result = load.closed(connections, duration);
            System.out.println("  " + name + ": " + result);
            perSecond[i] = result.perSecond();
        }
        return Measurements.of(perSecond).median();
    }
}
