package millrace.gateway.api.downloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.files.SignedLinks;
import millrace.files.disk.DiskReportStore;
import millrace.files.store.ReportFileWriter;
import millrace.gateway.FakeProcessor;
import millrace.gateway.TestGateway;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DownloadsIT {
    private static final String CONTENT =
            IntStream.range(0, 100_000).mapToObj(i -> "line " + i + "\r\n").collect(Collectors.joining());
    private static final UUID ID = UUID.randomUUID();

    @TempDir
    static Path reports;

    private TestKafka kafka;
    private TestGateway gateway;
    private String url = "";
    private String tag = "";

    @BeforeAll
    void start() throws IOException {
        kafka = TestKafka.withTopics(3);
        gateway = TestGateway.start(kafka.bootstrapServers(), reports);
        tag = "\"" + Hashes.sha256(CONTENT) + "\"";
        url = url(publish(ID, "a/1/0-1", CONTENT, Instant.now().plusSeconds(3600)));
    }

    @AfterAll
    void stop() {
        gateway.close();
        kafka.close();
    }

    @Test
    void handsOutTheFileWithoutAKey() {
        HttpResponse<String> file = get(Map.of());
        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.body()).isEqualTo(CONTENT);
        assertThat(file.headers().firstValue("Content-Type")).contains("text/csv; charset=utf-8");
        assertThat(file.headers().firstValue("Content-Length")).contains("" + CONTENT.length());
        assertThat(file.headers().firstValue("Accept-Ranges")).contains("bytes");
        assertThat(file.headers().firstValue("ETag")).contains(tag);
        assertThat(file.headers().firstValue("Content-Disposition"))
                .contains("attachment; filename=\"demographics-" + ID + ".csv\"");
    }

    @Test
    void answersHeadWithoutTheFile() {
        HttpResponse<String> head = gateway.send("HEAD", url, null, null, Map.of());
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("Content-Length")).contains("" + CONTENT.length());
        assertThat(head.headers().firstValue("ETag")).contains(tag);
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=0-9,        0,       10",
        "bytes=100-199,    100,     200",
        "bytes=1000000-,   1000000, -1",
        "bytes=-5,         -5,      -1",
        "bytes=0-99999999, 0,       -1",
    })
    void handsOutARange(String range, int from, int to) {
        int first = from < 0 ? CONTENT.length() + from : from;
        int last = to < 0 ? CONTENT.length() : to;
        HttpResponse<String> part = get(Map.of("Range", range));
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo(CONTENT.substring(first, last));
        assertThat(part.headers().firstValue("Content-Range"))
                .contains("bytes " + first + "-" + (last - 1) + "/" + CONTENT.length());
        assertThat(part.headers().firstValue("Content-Length")).contains("" + (last - first));
    }

    @Test
    void refusesARangeOutside() {
        HttpResponse<String> outside = get(Map.of("Range", "bytes=99999999-"));
        assertThat(outside.statusCode()).isEqualTo(416);
        assertThat(outside.headers().firstValue("Content-Range")).contains("bytes */" + CONTENT.length());
    }

    @Test
    void honoursEntityTags() {
        HttpResponse<String> same = get(Map.of("If-None-Match", tag));
        assertThat(same.statusCode()).isEqualTo(304);
        assertThat(same.body()).isEmpty();
        assertThat(get(Map.of("If-None-Match", "\"other\"")).statusCode()).isEqualTo(200);
        assertThat(get(Map.of("Range", "bytes=0-1", "If-Range", tag)).statusCode())
                .isEqualTo(206);
        assertThat(get(Map.of("Range", "bytes=0-1", "If-Range", "\"other\"")).statusCode())
                .isEqualTo(200);
    }

    /** Whoever goes on with a part of a file must not get the rest of another one. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            If-Match            | {tag}                         | 200
            If-Match            | *                             | 200
            If-Match            | "other", {tag}                | 200
            If-Match            | "other"                       | 412
            If-Match            | W/{tag}                       | 412
            If-Match            | ''                            | 412
            If-Unmodified-Since | Fri, 01 Jan 2100 00:00:00 GMT | 200
            If-Unmodified-Since | Sat, 01 Jan 2000 00:00:00 GMT | 412
            If-Unmodified-Since | yesterday                     | 200
            """, quoteCharacter = '\'')
    void honoursPreconditions(String header, String value, int status) {
        HttpResponse<String> answer = get(Map.of(header, value.replace("{tag}", tag), "Range", "bytes=0-1"));
        assertThat(answer.statusCode()).isEqualTo(status == 200 ? 206 : status);
        assertThat(answer.headers().firstValue("ETag")).contains(tag);
        if (status == 412) {
            assertThat(answer.body()).contains("\"code\":\"precondition_failed\"");
        }
    }

    @Test
    void refusesAnAlteredLink() {
        String other = UUID.randomUUID().toString();
        for (String altered : new String[] {
            url.replace(ID.toString(), other),
            url.replace("0-1", "0-2"),
            url.replace("expires=", "expires=1"),
            url + "A"
        }) {
            assertThat(gateway.send("GET", altered, null, null, Map.of()).statusCode())
                    .as(altered)
                    .isEqualTo(403);
        }
    }

    @Test
    void saysThatALinkHasExpired() throws IOException {
        UUID id = UUID.randomUUID();
        Instant past = Instant.now().minusSeconds(5);
        JsonNode status = publish(id, "b/1/0-1", "x", past);
        assertThat(status.path("status").asText()).isEqualTo("complete");
        assertThat(status.has("download_url")).isFalse();
        var file = new StoredFile("b/1/0-1", 1, Hashes.sha256("x"));
        String link = new SignedLinks(gateway.address(), TestGateway.SECRET)
                .link(id, file, past)
                .toString();
        assertThat(gateway.send("GET", link, null, null, Map.of()).statusCode()).isEqualTo(410);
    }

    @Test
    void saysThatAFileHasGone() throws IOException {
        UUID id = UUID.randomUUID();
        String link = url(publish(id, "c/1/0-1", "x", Instant.now().plusSeconds(60)));
        new DiskReportStore(reports, false).delete("c/1/0-1");
        assertThat(gateway.send("GET", link, null, null, Map.of()).statusCode()).isEqualTo(410);
    }

    @Test
    void handsOutAnEmptyFile() throws IOException {
        UUID id = UUID.randomUUID();
        String link = url(publish(id, "d/1/0-1", "", Instant.now().plusSeconds(60)));
        HttpResponse<String> empty = gateway.send("GET", link, null, null, Map.of());
        assertThat(empty.statusCode()).isEqualTo(200);
        assertThat(empty.body()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "csv.gz, application/gzip",
        "jsonl, application/x-ndjson",
        "jsonl.zst, application/zstd",
        "zstd.parquet, application/vnd.apache.parquet",
    })
    void saysWhatTheFileIsAndNeverThatItIsEncoded(String extension, String mediaType) throws IOException {
        UUID id = UUID.randomUUID();
        String link = url(
                publish(id, "e/1/0-" + id + "." + extension, "x", Instant.now().plusSeconds(60)));
        HttpResponse<String> file = gateway.send("GET", link, null, null, Map.of("Accept-Encoding", "gzip"));
        assertThat(file.headers().firstValue("Content-Type")).contains(mediaType);
        assertThat(file.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(file.headers().firstValue("Content-Disposition"))
                .contains("attachment; filename=\"demographics-" + id + "." + extension + "\"");
    }

    @Test
    void previewsAReport() throws IOException {
        HttpResponse<String> preview = preview(ID, "");
        assertThat(preview.statusCode()).isEqualTo(200);
        assertThat(preview.headers().firstValue("Content-Type")).contains("application/json");
        JsonNode shown = Json.MAPPER.readTree(preview.body());
        assertThat(shown.path("report_id").asText()).isEqualTo(ID.toString());
        assertThat(shown.path("columns").toString()).isEqualTo("[\"line 0\"]");
        assertThat(shown.path("returned").asInt()).isEqualTo(100);
        assertThat(shown.path("rows").get(99).get(0).asText()).isEqualTo("line 100");
        assertThat(shown.path("row_count").asInt()).isEqualTo(1);
        JsonNode many = Json.MAPPER.readTree(preview(ID, "?rows=5000").body());
        assertThat(many.path("rows")).hasSize(5000);
    }

    /** Each preview has a slot until it is read; HEAD has none. */
    @Test
    void manyPreviewsOneAfterTheOther() {
        for (int i = 0; i < 20; i++) {
            String path = "/v3/batch/preview/" + ID + "?rows=5000";
            HttpResponse<String> head = gateway.send("HEAD", path, TestGateway.KEY, null, Map.of());
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
            assertThat(gateway.get(path).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void saysWhyThereIsNoPreview() throws IOException {
        UUID parquet = UUID.randomUUID();
        JsonNode unused =
                publish(parquet, "f/1/0-1.zstd.parquet", "x", Instant.now().plusSeconds(60));
        refused(parquet, 400, "report_id: the report's response_format is parquet; a preview needs csv or json.");

        UUID expired = UUID.randomUUID();
        unused = publish(expired, "f/1/0-2", "x", Instant.now().minusSeconds(5));
        refused(expired, 410, "The report's file has expired at ");

        UUID deleted = UUID.randomUUID();
        unused = publish(deleted, "f/1/0-3", "x", Instant.now().plusSeconds(60));
        new DiskReportStore(reports, false).delete("f/1/0-3");
        refused(deleted, 410, "The file is no longer there.");

        UUID damaged = UUID.randomUUID();
        unused = publish(damaged, "f/1/0-4.csv.gz", "x", Instant.now().plusSeconds(60));
        refused(damaged, 503, "The report's file cannot be read at the moment.");
    }

    private void refused(UUID id, int status, String sentence) throws IOException {
        HttpResponse<String> refused = preview(id, "");
        assertThat(refused.statusCode()).isEqualTo(status);
        assertThat(Json.MAPPER.readTree(refused.body()).path("errors").path(0).asText())
                .startsWith(sentence);
    }

    private HttpResponse<String> preview(UUID id, String query) {
        return gateway.get("/v3/batch/preview/" + id + query);
    }

    /** Waits until the gateway knows of it, and gives its status. */
    private JsonNode publish(UUID id, String name, String content, Instant expiresAt) throws IOException {
        StoredFile file;
        try (ReportFileWriter writer = new DiskReportStore(reports, false).create(name)) {
            writer.write(content.getBytes(StandardCharsets.UTF_8));
            file = writer.commit();
        }
        try (var ledger = new FakeProcessor(kafka.bootstrapServers())) {
            ledger.status(FakeProcessor.complete(
                    "acme", id, 2, new ReportStatus.Result(new ResultCounts(1, 1, 0), 1, file, expiresAt)));
        }
        String path = "/v3/batch/request-status/" + id;
        await().until(() -> gateway.get(path).statusCode() == 200);
        return Json.MAPPER.readTree(gateway.get(path).body());
    }

    private static String url(JsonNode status) {
        return status.path("download_url").asText();
    }

    private HttpResponse<String> get(Map<String, String> headers) {
        return gateway.send("GET", url, null, null, headers);
    }
}
