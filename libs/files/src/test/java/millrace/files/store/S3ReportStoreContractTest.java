package millrace.files.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import millrace.contracts.reports.StoredFile;
import millrace.files.S3Settings;
import millrace.files.StorageSettings;
import millrace.testing.s3.S3Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same on S3-compatible storage that checks signatures, each test under a prefix of its own; and what only storage has. */
class S3ReportStoreContractTest extends ReportStoreContract {
    @TempDir
    private static Path objects;

    private static S3Server server;

    private ReportStore store;

    @BeforeAll
    static void start() {
        server = S3Server.start(objects);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() throws IOException {
        store = open("s3://" + S3Server.BUCKET + "/some/" + UUID.randomUUID(), S3Server.SECRET_KEY, server.endpoint());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    ReportStore store() {
        return store;
    }

    @Test
    void aStoreThatBecomesUnavailableInTheMiddleLeavesNothingHalf() throws IOException {
        ReportFileWriter out = store.create("r/1/0-a");
        out.write(bytes(9 * 1024 * 1024));
        server.stop();
        try {
            assertThatThrownBy(() -> {
                        out.write(bytes(9 * 1024 * 1024));
                        out.commit();
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot be reached");
            out.close();
        } finally {
            server.restart();
        }
        assertThat(store.list()).isEmpty();
        assertThat(store.deleteUnfinished(java.time.Instant.MAX)).isEqualTo(1);
        StoredFile again = write("r/1/0-b", bytes(9 * 1024 * 1024));
        assertThat(read(again.name())).hasSize(9 * 1024 * 1024);
    }

    @Test
    void aStoreThatComesBackSoonIsWaitedFor() throws IOException, InterruptedException {
        byte[] bytes = bytes(18 * 1024 * 1024);
        try (ReportFileWriter out = store.create("r/1/0-a")) {
            out.write(bytes, 0, 9 * 1024 * 1024);
            server.stop();
            Thread back = Thread.ofVirtual().start(server::restart);
            out.write(bytes, 9 * 1024 * 1024, 9 * 1024 * 1024);
            out.commit();
            back.join();
        }
        assertThat(read("r/1/0-a")).isEqualTo(bytes);
    }

    @Test
    void whatIsWrongIsSaidAtTheStartInOneLine() {
        String here = "s3://" + S3Server.BUCKET + "/p";
        assertRefused(
                "s3://no-such-bucket/p", S3Server.SECRET_KEY, server.endpoint(), "there is no bucket no-such-bucket");
        assertRefused(here, "wrong", server.endpoint(), "the secret key is not that of the access key");
        assertRefused(here, S3Server.SECRET_KEY, URI.create("http://127.0.0.1:1"), "the storage cannot be reached");
        assertRefused("s3:/reports", S3Server.SECRET_KEY, server.endpoint(), "not of the form s3://bucket/prefix");
    }

    @Test
    void aDirectLinkIsForOneFileAndSaysWhatItIs() throws Exception {
        write("r/1/0-a.csv.gz", "0123456789".getBytes(UTF_8));
        URI link = store.directLink(
                        "r/1/0-a.csv.gz",
                        "application/gzip",
                        "attachment; filename=\"x.csv.gz\"",
                        Duration.ofMinutes(15))
                .orElseThrow();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> part = client.send(
                    HttpRequest.newBuilder(link).header("Range", "bytes=2-4").build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(part.statusCode()).isEqualTo(206);
            assertThat(part.body()).isEqualTo("234");
            assertThat(part.headers().firstValue("Content-Type")).contains("application/gzip");
            assertThat(part.headers().firstValue("Content-Disposition")).contains("attachment; filename=\"x.csv.gz\"");
            URI other = URI.create(link.toString().replace("0-a.csv.gz", "0-b.csv.gz"));
            assertThat(client.send(HttpRequest.newBuilder(other).build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(403);
        }
    }

    private static void assertRefused(String reports, String secret, URI endpoint, String words) {
        assertThatThrownBy(() -> open(reports, secret, endpoint))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(words)
                .hasMessageNotContaining("\n");
    }

    private static ReportStore open(String reports, String secret, URI endpoint) throws IOException {
        var s3 = new S3Settings(endpoint, null, "us-east-1", true, S3Server.ACCESS_KEY, secret);
        return new StorageSettings(reports, s3, false, Path.of("unused"), null).open();
    }
}
