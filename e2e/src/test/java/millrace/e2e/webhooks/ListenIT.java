package millrace.e2e.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.client.WebhookReceiver.Received;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.LauncherScript;
import millrace.e2e.process.MainProcess;
import millrace.e2e.process.MillraceProcess;
import millrace.e2e.process.ProcessResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace listen}, while the service that it listens to is killed and started again. */
@Tag("thorough") // two starts
class ListenIT {
    private static final int BEFORE = 8;
    private static final int AFTER = 4;
    /** A report that is made at once has two: it is accepted, and it is complete. */
    private static final int EVENTS = 2 * (BEFORE + AFTER);

    /** Copies are what the service sends, but for their signatures. */
    @Test
    void copiesOfWebhooksComeToTheOwnMachine(@TempDir Path folder) throws Exception {
        Path home = folder.resolve("home");
        String script = LauncherScript.copyTo(home);
        Path data = DemoDataFolder.create(folder.resolve("data"));
        String[] arguments = DemoDataFolder.arguments(
                "--port=" + freePort(), "--management.port=0", "--gateway.requests-per-second=1000");
        List<String> reports = new ArrayList<>();
        String key;
        MainProcess listen = null;
        try (WebhookReceiver service = WebhookReceiver.start();
                WebhookReceiver own = WebhookReceiver.start()) {
            try (var millrace = MillraceProcess.start(data, arguments)) {
                key = millrace.batchKey();
                BatchApiClient api = BatchApiClient.of(millrace, key);
                listen = MainProcess.launch(List.of(
                        "env",
                        "MILLRACE_URL=" + millrace.address(),
                        "MILLRACE_KEY=" + key,
                        "HOME=" + home,
                        script,
                        "listen",
                        "--forward-to",
                        own.url(),
                        "--since",
                        positionOfTheFeed(api),
                        "--count",
                        String.valueOf(EVENTS)));
                for (int i = 0; i < BEFORE; i++) {
                    reports.add(submit(api, i, service));
                }
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> own.received().size() >= BEFORE / 2);
                millrace.kill();
            }
            try (var millrace = MillraceProcess.start(data, arguments)) {
                BatchApiClient api = BatchApiClient.of(millrace, key);
                for (int i = BEFORE; i < BEFORE + AFTER; i++) {
                    reports.add(submit(api, i, service));
                }
                reports.forEach(api::ended);
                // It ends by itself when it has sent a copy of each.
                assertThat(listen.exitCode()).as(listen.output()).isZero();
                for (String report : reports) {
                    await(report)
                            .atMost(Duration.ofSeconds(60))
                            .until(() -> ids(service.of(report)).size() == 2);
                }
            }
            assertThat(own.received()).extracting(Received::id).doesNotHaveDuplicates();
            ProcessResult secret = ProcessResult.run(
                    List.of(script, "listen", "--print-secret"), Map.of("MILLRACE_KEY", key, "HOME", home.toString()));
            for (String report : reports) {
                List<Received> copies = own.of(report);
                assertThat(copies).as(report).extracting(Received::status).containsExactly("processing", "complete");
                assertThat(ids(copies)).isEqualTo(ids(service.of(report)));
                for (Received copy : copies) {
                    assertThat(service.of(report))
                            .filteredOn(sent -> sent.id().equals(copy.id()))
                            .extracting(Received::text)
                            .containsOnly(copy.text());
                    copy.verified(secret.out().strip());
                }
            }
        } finally {
            if (listen != null) {
                listen.close();
            }
        }
    }

    private static String submit(BatchApiClient api, int number, WebhookReceiver service) {
        return api.submit("demographics", DemoRequests.with(DemoRequests.small(number), service.url()));
    }

    /** Each once: after a kill the service may send one again. */
    private static List<String> ids(List<Received> webhooks) {
        return webhooks.stream().map(Received::id).distinct().sorted().toList();
    }

    /** Where the event feed is now, which it tells at once. */
    private static String positionOfTheFeed(BatchApiClient api) throws IOException, InterruptedException {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> api.get("/v3/batch/credits/entries").code() == 200);
        HttpRequest request = HttpRequest.newBuilder(URI.create(api.address() + "/v3/batch/events"))
                .header("api-key", api.key())
                .build();
        HttpClient http = HttpClient.newHttpClient();
        try (InputStream events = http.send(request, HttpResponse.BodyHandlers.ofInputStream())
                        .body();
                var lines = new Scanner(events, StandardCharsets.UTF_8)) {
            String first = lines.nextLine();
            assertThat(first).startsWith("id: ");
            return first.substring("id: ".length());
        } finally {
            http.shutdownNow();
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
