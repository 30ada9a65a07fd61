package millrace.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import millrace.contracts.Json;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.BatchApiClient.Answer;
import millrace.e2e.process.LauncherScript;
import millrace.e2e.process.MillraceProcess;
import millrace.e2e.process.ProcessResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Imports while Millrace runs, and imports that are killed. The file is a pipe, so that the test decides when it ends.
 */
@Tag("thorough") // kills and large files
class ImportIT {
    private static final String HEADER =
            "domain,country,date,age_group,gender,demographics_share,demographics_bounce_rate\n";
    private static final int SECONDS = 60;
    /** So many rows that some have been written to disk. */
    private static final int MANY = 200_000;

    @TempDir
    private Path folder;

    private String script = "";
    private Path data = Path.of("");
    private Path pipe = Path.of("");

    @BeforeEach
    void files() throws Exception {
        script = LauncherScript.copyTo(folder);
        data = folder.resolve("data");
        pipe = folder.resolve("pipe.csv");
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
    }

    @Test
    void reportsThatHaveBegunKeepTheirData() throws Exception {
        DemoDataFolder.create(data);
        try (var receiver = WebhookReceiver.start();
                var millrace =
                        MillraceProcess.start(data, DemoDataFolder.arguments("--gateway.requests-per-second=1000"))) {
            BatchApiClient api = BatchApiClient.of(millrace, millrace.batchKey());
            subscribe(api, receiver);
            String small = api.download(api.ended(api.submit("demographics", DemoRequests.small(0))));
            String large = sha256(api.ended(api.submit("demographics", DemoRequests.large())));

            Process importing = start("import", "demographics", pipe.toString());
            String begun;
            try (BufferedWriter rows = Files.newBufferedWriter(pipe)) {
                rows.write(HEADER);
                begun = api.submit("demographics", DemoRequests.large());
                Awaitility.await()
                        .atMost(Duration.ofSeconds(SECONDS))
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> !api.status(begun).text("phase").equals("queued"));
                rows.write(small.lines().skip(1).findFirst().orElseThrow().replaceAll(",[0-9.]*,[0-9.]*$", ",0.125,")
                        + "\n");
            }
            assertThat(importing.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(importing.exitValue()).isZero();

            assertThat(sha256(api.ended(begun))).isEqualTo(large);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(SECONDS))
                    .pollInterval(Duration.ofMillis(300))
                    .untilAsserted(
                            () -> assertThat(api.download(api.ended(api.submit("demographics", DemoRequests.small(0)))))
                                    .hasLineCount(2)
                                    .contains(",0.125,\r\n"));
            // A version is announced once it is counted: one that was replaced before then is none.
            announced(receiver, 2);
            switchedBack(millrace);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(SECONDS))
                    .pollInterval(Duration.ofMillis(300))
                    .untilAsserted(
                            () -> assertThat(api.download(api.ended(api.submit("demographics", DemoRequests.small(0)))))
                                    .isEqualTo(small));
            announced(receiver, millrace.webhookSecret());
            assertThat(millrace.output()).doesNotContain("\tat ");
        }
    }

    private static void subscribe(BatchApiClient api, WebhookReceiver receiver) {
        String body = Json.text(
                Map.of("webhook_url", receiver.url(), "event_types", List.of(DataVersionAvailable.EVENT_TYPE)));
        assertThat(api.post("/v3/batch/webhooks/subscriptions", body).code()).isEqualTo(201);
    }

    /** The version of the import, and the one before it again, each once; that of the demo data where it was not before. */
    private static void announced(WebhookReceiver receiver, String secret) {
        announced(receiver, 3);
        List<JsonNode> later = announcements(receiver).stream()
                .filter(payload -> payload.path("sequence").asInt() > 1)
                .toList();
        assertThat(later)
                .extracting(payload -> payload.path("change").asText())
                .containsExactly("published", "restored");
        JsonNode published = later.getFirst();
        JsonNode restored = later.getLast();
        assertThat(published.path("row_count").asInt()).isEqualTo(1);
        assertThat(restored.path("version")).isEqualTo(published.at("/previous/version"));
        assertThat(restored.at("/previous/periods")).isEqualTo(published.path("periods"));
        assertThat(receiver.received()).allSatisfy(event -> event.verified(secret));
    }

    private static void announced(WebhookReceiver receiver, int sequence) {
        Awaitility.await().atMost(Duration.ofSeconds(SECONDS)).until(() -> announcements(receiver).stream()
                .anyMatch(payload -> payload.path("sequence").asInt() == sequence));
    }

    private static List<JsonNode> announcements(WebhookReceiver receiver) {
        return receiver.received().stream()
                .map(event -> event.body().path("payload"))
                .filter(payload -> payload.path("dataset").asText().equals("demographics"))
                .toList();
    }

    /** Over the admin API, as soon as the gateway has heard of the new version. */
    private void switchedBack(MillraceProcess millrace) throws Exception {
        String datasets = millrace.adminAddress() + "/admin/v1/datasets";
        JsonNode[] known = new JsonNode[1];
        Awaitility.await()
                .atMost(Duration.ofSeconds(2 * SECONDS))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    for (JsonNode dataset : admin("GET", datasets, "").path("datasets")) {
                        if (dataset.path("dataset").asText().equals("demographics")) {
                            known[0] = dataset;
                        }
                    }
                    return known[0].path("versions").size() == 2;
                });
        String from = known[0].path("version").asText();
        String to = known[0].path("versions").findValuesAsText("version").stream()
                .filter(version -> !version.equals(from))
                .findFirst()
                .orElseThrow();
        JsonNode switched = admin(
                "PUT",
                datasets + "/demographics/version",
                "{\"version\":\"" + to + "\",\"from\":\"" + from + "\",\"reason\":\"a wrong import\"}");
        assertThat(switched.path("version").asText()).as("%s", switched).isEqualTo(to);
        assertThat(Files.readString(dataset().resolve("current")).strip()).isEqualTo(to);
    }

    private JsonNode admin(String method, String address, String body) throws IOException, InterruptedException {
        String key = Files.readAllLines(data.resolve("admin-keys")).getLast().split(" ", -1)[1];
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .header("admin-key", key)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return Json.MAPPER.readTree(
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body());
        }
    }

    @Test
    void aKilledImportChangesNothingAndLeavesNothing() throws Exception {
        Path good = Files.writeString(folder.resolve("good.csv"), HEADER + row(0));
        assertThat(run("import", "demographics", good.toString()).code()).isZero();
        String before = Files.readString(dataset().resolve("current"));

        Process importing = start("import", "demographics", pipe.toString());
        try (BufferedWriter rows = Files.newBufferedWriter(pipe)) {
            rows.write(HEADER);
            for (int i = 0; i < MANY; i++) {
                rows.write(row(i));
            }
            rows.flush();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(SECONDS))
                    .until(() -> Files.exists(dataset().resolve(".loading/staging")));
            ProcessResult second = run("import", "demographics", good.toString());
            assertThat(second.code()).isEqualTo(3);
            assertThat(second.err()).contains("another import of demographics is running");
            importing.destroyForcibly().waitFor();
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("Broken pipe");
        }

        assertThat(Files.readString(dataset().resolve("current"))).isEqualTo(before);
        assertThat(names(dataset())).hasSize(3);
        assertThat(names(dataset().resolve(".loading"))).contains("staging");
        assertThat(run("versions").out()).contains("*  demographics@" + before.strip() + "     1 ");
        ProcessResult again = run("import", "demographics", good.toString(), "--append");
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(names(dataset().resolve(".loading"))).containsExactly("lock");
        assertThat(names(dataset())).hasSize(4);
    }

    private Path dataset() {
        return data.resolve("warehouse/demographics");
    }

    private static String row(int i) {
        return "site-" + i + ".example,US,2026-10,65+,Male,0.5,0.25\n";
    }

    private static String sha256(Answer status) {
        assertThat(status.text("status")).as("%s", status.body()).isEqualTo("complete");
        return status.text("sha256");
    }

    private Process start(String... arguments) throws IOException {
        return new ProcessBuilder(command(arguments))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("import.txt").toFile())
                .start();
    }

    private ProcessResult run(String... arguments) throws IOException, InterruptedException {
        return ProcessResult.run(command(arguments), Map.of());
    }

    private List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(script));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--data", data.toString()));
        return command;
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }
}
