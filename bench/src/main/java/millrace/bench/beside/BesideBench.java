package millrace.bench.beside;

import static millrace.bench.process.Output.print;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.HttpLoad;
import millrace.bench.process.Measurements;
import millrace.bench.process.RoundTrips;
import millrace.bench.process.StandaloneService;
import millrace.bench.turns.Turns;

/**
 * Measures small reports beside the same reports by a service over PostgreSQL, in turns: latency and CPU at a steady
 * rate, then saturated, and memory. In its turn one of both is started, warmed up, measured and ended; each begins
 * without reports of earlier turns. CPU and memory are those of the service with its database. With {@code --fsync true}
 * both keep what they have accepted over a power failure.
 */
public final class BesideBench {
    /** Domains of a report. */
    private static final int DOMAINS = 5;

    private static final String ROWS = "rows of a report";
    private static final String BASELINE_KEY = "bench-key";
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(20);

    private final BenchOptions options;
    private final boolean forced;

    private BesideBench(BenchOptions options) {
        this.options = options;
        this.forced = Boolean.parseBoolean(options.text("fsync"));
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException, SQLException {
        var options = BenchOptions.parse(
                arguments,
                "--rounds 3 --warm-up 10000 --rate 50 --seconds 60 --reports 6000 --in-hand 100 --fsync false --data bench/target/beside",
                "--rounds 1 --warm-up 300 --seconds 5 --reports 300");
        Optional<Path> programs = PostgreSql.programs();
        if (programs.isEmpty()) {
            System.err.println("bench: there is no initdb and postgres in /usr/lib/postgresql/*/bin;"
                    + " on Debian and Ubuntu: apt-get install postgresql");
            System.exit(2);
            return;
        }
        var bench = new BesideBench(options);
        var turns = new Turns("baseline", "Millrace");
        int rounds = options.number("rounds");
        try (var postgres = new PostgreSql(programs.get(), bench.forced)) {
            for (int round = 1; round <= rounds; round++) {
                print("round %d of %d, Millrace:", round, rounds);
                Map<String, Double> millrace = bench.millrace();
                if (round == 1) {
                    // Millrace has made it by now.
                    postgres.load(Path.of(options.text("data"), "warehouse").toAbsolutePath());
                }
                print("round %d of %d, baseline:", round, rounds);
                Map<String, Double> baseline = bench.baseline(postgres);
                if (!Objects.equals(baseline.get(ROWS), millrace.get(ROWS))) {
                    throw new IllegalStateException("the reports of both have not the same rows");
                }
                turns.add(baseline, millrace);
            }
        }
        print("%n%s; %s%n", Turns.machine(), bench.forced ? "with fsync" : "without fsync");
        turns.table().forEach(row -> print("%s", row));
    }

    private Map<String, Double> millrace() throws IOException, InterruptedException {
        try (StandaloneService millrace = StandaloneService.start(
                StandaloneService.folder(options),
                "--standalone.fsync=" + forced,
                "--gateway.requests-per-second=1000000",
                "--gateway.open-reports=1000000",
                // All go to one endpoint, whose rate is limited by default.
                "--notifier.per-second-per-endpoint=1000000")) {
            return measure(millrace, new ProcessTrees(List.of(millrace.process())));
        }
    }

    private Map<String, Double> baseline(PostgreSql postgres) throws IOException, InterruptedException, SQLException {
        try (ChildProcess database = postgres.start()) {
            postgres.empty();
            int port = PostgreSql.freePort();
            try (ChildProcess service = ChildProcess.start(command(postgres, port), postgres.folder())) {
                String unused = service.await("baseline is ready", TIMEOUT);
                return measure(
                        new StandaloneService(service, "http://127.0.0.1:" + port, BASELINE_KEY),
                        new ProcessTrees(List.of(service, database)));
            }
        }
    }

    private List<String> command(PostgreSql postgres, int port) throws IOException {
        String home = Objects.requireNonNull(System.getProperty("bench.home"));
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms256m",
                "-Xmx1g",
                "-jar",
                Path.of(home, "bench/baseline/target/baseline.jar").toString(),
                "--server.port=" + port,
                "--spring.datasource.url=" + postgres.url(),
                "--spring.datasource.username=" + PostgreSql.USER,
                "--reports.folder=" + Files.createTempDirectory(postgres.folder(), "reports"),
                "--reports.forced=" + forced);
    }

    /** @param processes the service and its database */
    private Map<String, Double> measure(StandaloneService service, ProcessTrees processes)
            throws IOException, InterruptedException {
        int rate = options.number("rate");
        int steady = rate * options.number("seconds");
        int saturated = options.number("reports");
        Map<String, Double> figures = new LinkedHashMap<>();
        try (var reports = new RoundTrips(service)) {
            figures.put(ROWS, (double) rows(service));
            Duration unused = reports.saturated(options.number("warm-up"), options.number("in-hand"));
            long memory = processes.memory();
            Duration before = processes.cpu();
            Measurements latency = reports.steady(rate, steady, number -> service.key());
            String at = " at " + rate + " a second, ms";
            figures.put("p50" + at, latency.median());
            figures.put("p95" + at, latency.quantile(0.95));
            figures.put("p99" + at, latency.quantile(0.99));
            figures.put("CPU of a report" + at, millis(processes.cpu().minus(before)) / steady);
            memory = Math.max(memory, processes.memory());
            before = processes.cpu();
            Duration took = reports.saturated(saturated, options.number("in-hand"));
            figures.put("reports a second, saturated", saturated / (millis(took) / 1e3));
            figures.put("CPU of a report, saturated, ms", millis(processes.cpu().minus(before)) / saturated);
            figures.put("memory at most, MB", Math.max(memory, processes.memory()) / 1048576.0);
        }
        figures.forEach((name, value) -> print("  %-36s %s", name, Measurements.text(value)));
        return figures;
    }

    /** Has one report made, which both have to answer with as many rows. */
    private static long rows(StandaloneService service) throws IOException, InterruptedException {
        try (HttpClient http = HttpLoad.client()) {
            String id = HttpLoad.json(http, service.report(service.key(), StandaloneService.body(0, DOMAINS, "")))
                    .path("report_id")
                    .asText();
            HttpRequest status = service.request("/v3/batch/request-status/" + id, service.key())
                    .build();
            JsonNode answer = HttpLoad.json(http, status);
            long deadline = System.nanoTime() + TIMEOUT.toNanos();
            while (!answer.path("status").asText().equals("complete")) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("a report is not complete after " + TIMEOUT + ": " + answer);
                }
                LockSupport.parkNanos(POLL.toNanos());
                answer = HttpLoad.json(http, status);
            }
            return answer.path("row_count").asLong();
        }
    }

    private static double millis(Duration duration) {
        return duration.toNanos() / 1e6;
    }
}
