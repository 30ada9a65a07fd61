package millrace.e2e.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import millrace.contracts.Hashes;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MainProcess;
import millrace.e2e.process.ServiceProcesses;
import millrace.testing.s3.S3Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Report files in S3-compatible storage: one service writes them, another serves downloads, and the storage is
 * unavailable for a while.
 */
@Tag("thorough") // a cluster of processes
class ObjectStorageIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    @TempDir
    Path folder;

    @Test
    void keepsTheFilesOfAllServices() throws Exception {
        Path data = folder.resolve("data");
        try (S3Server storage = S3Server.start(Files.createDirectories(folder.resolve("objects")));
                ServiceProcesses services = ServiceProcesses.prepare(data)) {
            MainProcess gateway = services.gateway("gateway-1", settings(storage));
            services.processor("processor-1", ServiceProcesses.address(gateway), settings(storage));
            BatchApiClient api = services.api(gateway);

            downloaded(api, api.submit("demographics", DemoRequests.small(1)));
            downloaded(api, api.submit("demographics", DemoRequests.large()));

            // The gateway has no warehouse; it reads what the processor has written into the storage.
            String entities = "/v3/batch/tables/demographics/entities?prefix=amber-b&limit=2";
            JsonNode names = await().atMost(TIMEOUT)
                    .until(() -> api.get(entities), answer -> answer.code() == 200)
                    .body();
            assertThat(names.path("entities")).hasSize(2).allMatch(n -> n.asText()
                    .startsWith("amber-b"));

            long before = api.remainingCredits();
            storage.stop();
            String report = api.submit("demographics", DemoRequests.small(2));
            JsonNode failed = api.ended(report, TIMEOUT).body();
            assertThat(failed.path("error").path("code").asText())
                    .as("%s", failed)
                    .isEqualTo("render_failed");
            assertThat(api.get(entities).body()).isEqualTo(names);
            assertThat(api.remainingCredits()).isEqualTo(before);
            storage.restart();
            assertThat(api.post("/v3/batch/retry/" + report, "").code()).isEqualTo(200);
            downloaded(api, report);
        }
        try (Stream<Path> files = Files.walk(data.resolve("reports"))) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        } catch (java.nio.file.NoSuchFileException e) {
            // the folder may not exist
        }
    }

    private static void downloaded(BatchApiClient api, String report) {
        JsonNode status = api.ended(report, TIMEOUT).body();
        assertThat(status.path("status").asText()).as("%s", status).isEqualTo("complete");
        HttpResponse<byte[]> signed = api.fetch(status.path("download_url").asText());
        assertThat(signed.statusCode()).isEqualTo(302);
        HttpResponse<byte[]> file =
                api.fetch(signed.headers().firstValue("Location").orElseThrow());
        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(Hashes.sha256(new String(file.body(), StandardCharsets.UTF_8)))
                .isEqualTo(status.path("sha256").asText());
        assertThat(file.headers().firstValue("Content-Disposition").orElse("")).contains(".csv");
    }

    private static String[] settings(S3Server storage) {
        return new String[] {
            "--storage.reports=s3://" + S3Server.BUCKET + "/files",
            "--storage.s3.endpoint=" + storage.endpoint(),
            "--storage.s3.path-style=true",
            "--storage.s3.access-key=" + S3Server.ACCESS_KEY,
            "--storage.s3.secret-key=" + S3Server.SECRET_KEY,
        };
    }
}
