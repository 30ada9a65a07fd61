package millrace.e2e.reports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.contracts.Json;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.WarehouseFiles;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.BatchApiClient.Answer;
import millrace.e2e.process.MillraceProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Reports of many entities and of many rows, with the default memory of the launcher. */
@Tag("thorough") // a large file through a small heap
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LargeReportsIT {
    private static final int MANY = 10_000;
    private static final long MILLION = 1_000_000;
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    /** Heap, and the memory of DuckDB and the JVM outside the heap. */
    private static final long MOST_MEMORY_KB = 3_000_000;

    private Path folder;
    private MillraceProcess millrace;
    private BatchApiClient api;
    private WarehouseFiles warehouse;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        Path data = DemoDataFolder.create(folder.resolve("data"));
        warehouse = WarehouseFiles.open(data.resolve("warehouse"));
        millrace = MillraceProcess.start(data, DemoDataFolder.arguments("--gateway.requests-per-second=1000"));
        api = BatchApiClient.of(millrace, millrace.batchKey());
    }

    @AfterAll
    void stop() throws Exception {
        millrace.close();
        warehouse.close();
    }

    /** Most of the domains are unknown. */
    @Test
    void tenThousandDomains() throws Exception {
        String known = "SELECT DISTINCT domain FROM demographics ORDER BY hash(domain) LIMIT 100";
        List<String> domains = Stream.concat(
                        IntStream.range(0, MANY - 100).mapToObj(i -> "nobody-" + i + ".example"),
                        warehouse.rows(known).stream().map(List::getFirst))
                .toList();

        JsonNode status = api.ended(api.submit("demographics", """
                        {"domains":%s,"countries":["US","DE"],"metrics":["demographics_share","demographics_bounce_rate"],
                         "start_date":"2026-09","end_date":"2026-10","granularity":"monthly"}""".formatted(Json.text(domains))), TIMEOUT)
                .body();

        String report =
                "FROM demographics WHERE domain IN (" + known + ") AND country IN ('US', 'DE') AND NOT subdomains"
                        + " AND date BETWEEN DATE '2026-09-01' AND DATE '2026-10-01'";
        assertThat(status.path("status").asText()).as("%s", status).isEqualTo("complete");
        assertThat(status.path("used_quota").asLong())
                .isEqualTo(warehouse.number(
                        "SELECT count(demographics_share) + count(demographics_bounce_rate) " + report));
        holds(
                status,
                "SELECT domain, country, date, age_group, gender, demographics_share, demographics_bounce_rate "
                        + report + " ORDER BY domain, country, date, age_group, gender");
    }

    @Test
    void moreThanAMillionRows() throws Exception {
        List<String> domains = warehouse.rows("SELECT DISTINCT domain FROM site_keywords").stream()
                .map(List::getFirst)
                .toList();
        List<String> countries = warehouse.rows("SELECT DISTINCT country FROM site_keywords").stream()
                .map(List::getFirst)
                .toList();

        String id = api.submit("site_keywords", """
                {"domains":%s,"countries":%s,"granularity":"weekly","start_date":"2026-05-01","end_date":"2026-10-31",
                 "metrics":["desktop_keywords_paid_visits","desktop_keywords_top_all_url"]}""".formatted(Json.text(domains), Json.text(countries)));
        JsonNode status = endedAfterProgress(id);

        String report = "FROM site_keywords WHERE granularity = 'weekly' AND NOT subdomains";
        assertThat(warehouse.number("SELECT count(*) " + report)).isGreaterThan(MILLION);
        long results = warehouse.number(
                "SELECT count(desktop_keywords_paid_visits) + count(desktop_keywords_top_all_url) " + report);
        assertThat(status.path("data_points_count").asLong()).isEqualTo(results);
        assertThat(status.path("used_quota").asLong()).isEqualTo((results + 99) / 100);
        holds(
                status,
                "SELECT domain, country, date, keyword, desktop_keywords_paid_visits, desktop_keywords_top_all_url "
                        + report + " ORDER BY domain, country, date, desktop_keywords_total_visits DESC, keyword");
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(filesOf(id)).as("the parts are gone").hasSize(1));
        assertThat(millrace.output()).doesNotContain("OutOfMemory");
        assertThat(mostMemory()).isLessThan(MOST_MEMORY_KB);
    }

    /** The files of a report in the report store. */
    private List<Path> filesOf(String report) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("data/reports").resolve(report))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private JsonNode endedAfterProgress(String report) {
        List<Double> progress = new ArrayList<>();
        List<String> phases = new ArrayList<>();
        Answer ended = Awaitility.await()
                .atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> {
                            Answer status = api.status(report);
                            if (status.body().has("progress")) {
                                progress.add(status.body().path("progress").asDouble());
                                phases.add(status.text("phase"));
                            }
                            return status;
                        },
                        status -> !status.text("status").equals("processing"));
        assertThat(ended.text("status")).as("%s", ended.body()).isEqualTo("complete");
        assertThat(progress).isSorted().allMatch(fraction -> fraction >= 0 && fraction <= 1);
        assertThat(new TreeSet<>(progress)).hasSizeGreaterThan(5);
        assertThat(phases).contains("rendering");
        return ended.body();
    }

    /** Checks that the file fits the status, and has exactly the rows of the SQL in order. */
    private void holds(JsonNode status, String sql) throws Exception {
        Path file = api.download(
                status.path("download_url").asText(),
                folder.resolve(status.path("report_id").asText() + ".csv"));
        assertThat(Files.size(file)).isEqualTo(status.path("file_size").asLong());
        assertThat(sha256(file)).isEqualTo(status.path("sha256").asText());
        try (CsvReader<CsvRecord> csv = CsvReader.builder().ofCsvRecord(file);
                CloseableIterator<CsvRecord> lines = csv.iterator()) {
            assertThat(lines.next().getField(0)).isEqualTo("domain");
            var rows = new Rows(lines);
            warehouse.forEach(sql, rows::expect);
            assertThat(lines.hasNext()).as("more than %d rows", rows.count).isFalse();
            assertThat(rows.count)
                    .isPositive()
                    .isEqualTo(status.path("row_count").asLong());
        }
    }

    private static final class Rows {
        private final CloseableIterator<CsvRecord> lines;
        private long count;

        Rows(CloseableIterator<CsvRecord> lines) {
            this.lines = lines;
        }

        void expect(List<String> row) {
            List<String> line = lines.hasNext() ? lines.next().getFields() : List.of();
            if (!line.equals(row)) {
                throw new AssertionError("row " + count + ": expected " + row + ", found " + line);
            }
            count++;
        }
    }

    private static String sha256(Path file) throws Exception {
        var sha256 = MessageDigest.getInstance("SHA-256");
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), sha256)) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(sha256.digest());
    }

    /** The greatest memory of the process in kB; 0 where the operating system does not provide it. */
    private long mostMemory() throws IOException {
        Path status = Path.of("/proc/" + millrace.pid() + "/status");
        if (!Files.exists(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0);
    }
}
