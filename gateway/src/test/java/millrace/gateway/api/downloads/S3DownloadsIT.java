package millrace.gateway.api.downloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.files.S3Settings;
import millrace.files.StorageSettings;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;
import millrace.gateway.FakeProcessor;
import millrace.gateway.TestGateway;
import millrace.testing.TestKafka;
import millrace.testing.s3.S3Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Downloads of files that are in S3-compatible storage: the signed link leads to an address of the storage itself. */
class S3DownloadsIT {
    @TempDir
    static Path objects;

    @Test
    void aSignedLinkLeadsToTheStorage() throws Exception {
        UUID id = UUID.randomUUID();
        try (S3Server storage = S3Server.start(objects);
                ReportStore store = new StorageSettings(
                                "s3://" + S3Server.BUCKET + "/files",
                                new S3Settings(
                                        storage.endpoint(),
                                        null,
                                        "us-east-1",
                                        true,
                                        S3Server.ACCESS_KEY,
                                        S3Server.SECRET_KEY),
                                false,
                                Path.of("unused"),
                                null)
                        .open();
                TestKafka kafka = TestKafka.withTopics(3);
                TestGateway gateway = TestGateway.start(kafka.bootstrapServers(), objects, store)) {
            StoredFile file;
            try (ReportFileWriter out = store.create(id + "/1/0-a.csv.gz")) {
                out.write("0123456789".getBytes(StandardCharsets.UTF_8));
                file = out.commit();
            }
            var result = new ReportStatus.Result(
                    new ResultCounts(1, 1, 0), 1, file, Instant.now().plusSeconds(600));
            try (var ledger = new FakeProcessor(kafka.bootstrapServers())) {
                ledger.status(FakeProcessor.complete("acme", id, 2, result));
            }
            String path = "/v3/batch/request-status/" + id;
            await().until(() -> gateway.get(path).statusCode() == 200);
            String url = Json.MAPPER
                    .readTree(gateway.get(path).body())
                    .path("download_url")
                    .asText();

            HttpResponse<String> answer = gateway.send("GET", url, null, null, Map.of());
            assertThat(answer.statusCode()).isEqualTo(302);
            assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
            String direct = answer.headers().firstValue("Location").orElseThrow();
            assertThat(direct).startsWith(storage.endpoint().toString()).contains("X-Amz-Expires=900");
            HttpResponse<String> part = gateway.send("GET", direct, null, null, Map.of("Range", "bytes=2-4"));
            assertThat(part.statusCode()).isEqualTo(206);
            assertThat(part.body()).isEqualTo("234");
            assertThat(part.headers().firstValue("Content-Type")).contains("application/gzip");
            assertThat(part.headers().firstValue("Content-Disposition"))
                    .contains("attachment; filename=\"demographics-" + id + ".csv.gz\"");

            HttpResponse<String> head = gateway.send("HEAD", url, null, null, Map.of());
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.headers().firstValue("Content-Length")).contains("10");

            HttpResponse<String> preview = gateway.get("/v3/batch/preview/" + id);
            assertThat(preview.statusCode()).isEqualTo(503); // these are no rows
            UUID rows = UUID.randomUUID();
            StoredFile csv;
            try (ReportFileWriter out = store.create(rows + "/1/0-a.csv")) {
                out.write("domain,country\r\na.example,US\r\n".getBytes(StandardCharsets.UTF_8));
                csv = out.commit();
            }
            try (var ledger = new FakeProcessor(kafka.bootstrapServers())) {
                ledger.status(FakeProcessor.complete(
                        "acme",
                        rows,
                        2,
                        new ReportStatus.Result(new ResultCounts(1, 1, 0), 1, csv, result.expiresAt())));
            }
            await().until(() -> gateway.get("/v3/batch/preview/" + rows).statusCode() == 200);
            assertThat(gateway.get("/v3/batch/preview/" + rows).body())
                    .isEqualTo("{\"report_id\":\"" + rows + "\",\"columns\":[\"domain\",\"country\"],"
                            + "\"rows\":[[\"a.example\",\"US\"]],\"returned\":1,\"row_count\":1}");

            store.delete(file.name());
            assertThat(gateway.send("GET", url, null, null, Map.of()).statusCode())
                    .isEqualTo(410);
        }
    }
}
