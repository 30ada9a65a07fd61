package millrace.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import millrace.contracts.Json;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MillraceProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is killed while a client reads its events; the client goes on where it was. */
@Tag("thorough")
class FeedCrashIT {
    private static final int REPORTS = 40;

    /** The events of one connection. */
    private static final class Feed implements AutoCloseable {
        private final HttpClient http = HttpClient.newHttpClient();
        private final List<JsonNode> events = new CopyOnWriteArrayList<>();
        private final Thread reader;
        private volatile String lastId;

        Feed(MillraceProcess millrace, String key, String lastId) throws IOException, InterruptedException {
            this.lastId = lastId;
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(millrace.address() + "/v3/batch/events"))
                    .header("api-key", key);
            if (!lastId.isEmpty()) {
                request.header("Last-Event-ID", lastId);
            }
            HttpResponse<InputStream> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            assertThat(answer.statusCode()).isEqualTo(200);
            reader = Thread.ofVirtual().start(() -> read(answer.body()));
        }

        private void read(InputStream body) {
            String id = "";
            String data = "";
            try (var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("id: ")) {
                        id = line.substring("id: ".length());
                    } else if (line.startsWith("data: ")) {
                        data = line.substring("data: ".length());
                    } else if (line.isEmpty()) {
                        if (!data.isEmpty()) {
                            events.add(Json.MAPPER.readTree(data));
                        }
                        lastId = id;
                        data = "";
                    }
                }
            } catch (IOException e) {
                // The process was killed, or the test closes it.
            }
        }

        @Override
        public void close() throws InterruptedException {
            http.shutdownNow();
            reader.join();
        }
    }

    @Test
    void goesOnAfterAKill(@TempDir Path data) throws Exception {
        DemoDataFolder.create(data);
        String[] arguments = DemoDataFolder.arguments("--gateway.requests-per-second=1000", "--management.port=0");
        List<String> submitted = new ArrayList<>();
        List<JsonNode> events = new ArrayList<>();
        String key;
        String last;
        try (var millrace = MillraceProcess.start(data, arguments)) {
            key = millrace.batchKey();
            BatchApiClient api = BatchApiClient.of(millrace, key);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> api.get("/v3/batch/credits/entries").code() == 200);
            try (Feed feed = new Feed(millrace, key, "")) {
                await().until(() -> !feed.lastId.isEmpty());
                for (int i = 0; i < REPORTS; i++) {
                    submitted.add(api.submit("demographics", DemoRequests.small(i % 10)));
                }
                await().atMost(Duration.ofSeconds(30)).until(() -> feed.events.size() >= REPORTS);
                millrace.kill();
                feed.reader.join();
                events.addAll(feed.events);
                last = feed.lastId;
            }
        }
        try (var millrace = MillraceProcess.start(data, arguments)) {
            BatchApiClient api = BatchApiClient.of(millrace, key);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> api.get("/v3/batch/credits/entries").code() == 200);
            submitted.add(api.submit("demographics", DemoRequests.small(0)));
            try (Feed feed = new Feed(millrace, key, last)) {
                await().atMost(Duration.ofSeconds(60)).until(() -> submitted.stream()
                        .allMatch(report -> complete(report, events) || complete(report, feed.events)));
                events.addAll(feed.events);
            }
        }
        assertThat(events).extracting(event -> event.path("id").asText()).doesNotHaveDuplicates();
        assertThat(events).noneMatch(event -> event.path("type").asText().equals("reset"));
        Map<String, List<Long>> changes = events.stream()
                .filter(event -> event.path("type").asText().equals("report"))
                .collect(Collectors.groupingBy(
                        event -> event.at("/report/report_id").asText(),
                        Collectors.mapping(event -> event.at("/report/sequence").asLong(), Collectors.toList())));
        assertThat(changes.keySet()).containsExactlyInAnyOrderElementsOf(submitted);
        assertThat(changes.values()).allSatisfy(FeedCrashIT::withoutAGap);
        withoutAGap(events.stream()
                .filter(event -> event.path("type").asText().equals("credits"))
                .map(event -> event.at("/entry/sequence").asLong())
                .toList());
    }

    private static boolean complete(String report, List<JsonNode> events) {
        return events.stream()
                .anyMatch(event -> event.at("/report/report_id").asText().equals(report)
                        && event.at("/report/status").asText().equals("complete"));
    }

    private static void withoutAGap(List<Long> sequences) {
        assertThat(sequences)
                .containsExactlyElementsOf(
                        LongStream.range(sequences.getFirst(), sequences.getFirst() + sequences.size())
                                .boxed()
                                .toList());
    }
}
