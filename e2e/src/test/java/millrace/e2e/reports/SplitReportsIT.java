package millrace.e2e.reports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.BatchApiClient.Answer;
import millrace.e2e.process.MillraceProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a report that is split are, one after the other, the report that is not; also after a kill. */
class SplitReportsIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int MAX_ROWS = 20_000;
    private static final String SPLIT =
            DemoRequests.large().replaceFirst("\\{", "{\"split\":{\"max_rows\":" + MAX_ROWS + "},");

    @TempDir
    Path folder;

    @Test
    void theFilesAreThoseOfTheWholeAlsoAfterAKill() throws Exception {
        Path data = DemoDataFolder.create(folder.resolve("data"));
        JsonNode whole;
        String killed;
        long credits;
        try (MillraceProcess millrace = start(data, 5_000)) {
            BatchApiClient api = api(millrace);
            long before = api.remainingCredits();
            whole = complete(api, api.submit("demographics", DemoRequests.large()));
            long price = whole.path("used_quota").asLong();
            assertThat(api.remainingCredits()).isEqualTo(before - price);
            String split = submitted(api);
            check(api, whole, split);
            credits = before - 2 * price;
            assertThat(api.remainingCredits()).isEqualTo(credits);

            assertThat(api.delete("/v3/batch/reports/" + split).code()).isEqualTo(204);
            Awaitility.await().atMost(TIMEOUT).until(() -> files(data, split).isEmpty());

            killed = submitted(api);
            Awaitility.await()
                    .atMost(TIMEOUT)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> api.status(killed).body().path("progress").asDouble() > 0.2);
            assertThat(api.status(killed).text("status")).isEqualTo("processing");
            millrace.kill();
        }
        try (MillraceProcess millrace = start(data, 9_000)) {
            BatchApiClient api = api(millrace);
            check(api, whole, killed);
            assertThat(api.remainingCredits())
                    .isEqualTo(credits - whole.path("used_quota").asLong());
            List<String> named = listed(api, killed).stream()
                    .map(file -> file.path("sha256").asText())
                    .toList();
            Awaitility.await().atMost(TIMEOUT).untilAsserted(() -> assertThat(files(data, killed))
                    .as("the parts, their manifest, and a little that a killed worker has left; no slices")
                    .hasSizeBetween(named.size() + 1, named.size() * 3 / 2)
                    .extracting(SplitReportsIT::sha256)
                    .containsAll(named));
        }
    }

    private static void check(BatchApiClient api, JsonNode whole, String split) throws IOException {
        JsonNode status = complete(api, split);
        assertThat(status.path("row_count")).isEqualTo(whole.path("row_count"));
        assertThat(status.path("used_quota")).isEqualTo(whole.path("used_quota"));
        assertThat(status.path("query_sha256")).isNotEqualTo(whole.path("query_sha256"));
        assertThat(status.has("sha256")).isFalse();
        List<JsonNode> files = listed(api, split);
        assertThat(files)
                .hasSize(status.path("file_count").asInt())
                .hasSizeGreaterThan(20)
                .isEqualTo(manifestFiles(api, status))
                .allSatisfy(file -> assertThat(file.path("row_count").asInt()).isLessThanOrEqualTo(MAX_ROWS));
        assertThat(files.stream()
                        .mapToLong(file -> file.path("row_count").asLong())
                        .sum())
                .isEqualTo(whole.path("row_count").asLong());
        MessageDigest joined = Hashes.sha256();
        for (JsonNode file : files) {
            byte[] content = api.fetch(file.path("download_url").asText()).body();
            assertThat(Hashes.sha256(content)).isEqualTo(file.path("sha256").asText());
            int rows = header(content);
            assertThat(new String(content, 0, rows, StandardCharsets.UTF_8))
                    .isEqualTo("domain,country,date,age_group,gender,demographics_share,demographics_bounce_rate,"
                            + "demographics_pages_per_visit\r\n");
            int from = file.path("part").asInt() == 1 ? 0 : rows;
            joined.update(content, from, content.length - from);
        }
        assertThat(HexFormat.of().formatHex(joined.digest()))
                .isEqualTo(whole.path("sha256").asText());
    }

    /** Length of the first line. */
    private static int header(byte[] content) {
        int end = 0;
        while (content[end] != '\n') {
            end++;
        }
        return end + 1;
    }

    private static List<JsonNode> manifestFiles(BatchApiClient api, JsonNode status) throws IOException {
        JsonNode manifest = Json.MAPPER.readTree(
                api.fetch(status.path("download_url").asText()).body());
        List<JsonNode> files = new ArrayList<>();
        manifest.path("files").forEach(files::add);
        return files;
    }

    private static List<JsonNode> listed(BatchApiClient api, String report) {
        List<JsonNode> files = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page =
                    api.get("/v3/batch/files/" + report + "?limit=7" + cursor).body();
            page.path("files").forEach(files::add);
            cursor = page.path("next_cursor").isTextual()
                    ? "&cursor=" + page.path("next_cursor").asText()
                    : "";
        } while (!cursor.isEmpty());
        return files;
    }

    /** A gateway that has just started has not heard of its processor yet. */
    private static String submitted(BatchApiClient api) {
        Answer accepted = Awaitility.await()
                .atMost(TIMEOUT)
                .until(() -> api.post("/v3/batch/demographics/request-report", SPLIT), answer -> answer.code() == 200);
        return accepted.text("report_id");
    }

    private static JsonNode complete(BatchApiClient api, String report) {
        Answer ended = api.ended(report, TIMEOUT);
        assertThat(ended.text("status")).as("%s", ended.body()).isEqualTo("complete");
        return ended.body();
    }

    private static List<Path> files(Path data, String report) throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve("reports").resolve(report))) {
            return files.filter(Files::isRegularFile).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    private static String sha256(Path file) {
        try {
            return Hashes.sha256(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BatchApiClient api(MillraceProcess millrace) {
        return BatchApiClient.of(millrace, millrace.batchKey());
    }

    /** @param sliceRows of new reports: parts have several slices */
    private static MillraceProcess start(Path data, int sliceRows) throws Exception {
        return MillraceProcess.start(
                data,
                DemoDataFolder.arguments("--gateway.requests-per-second=1000", "--processor.slice.rows=" + sliceRows));
    }
}
