package millrace.e2e.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.client.WebhookReceiver.Received;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MillraceProcess;
import millrace.e2e.process.RepartitionProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service with 16 partitions instead of 4 says what it said before. */
@Tag("thorough") // starts four processes
class RepartitionIT {
    private static final String PATH = "/v3/batch/demographics/request-report";
    private static final int REPORTS = 300;
    private static final int EVERY_WEBHOOK = 10;

    @TempDir
    Path data;

    /** What clients are told. */
    private record Told(JsonNode credits, List<String> history, Map<String, String> statuses) {
        static Told by(BatchApiClient api) {
            List<String> history = new ArrayList<>();
            Map<String, String> statuses = new LinkedHashMap<>();
            String cursor = "";
            do {
                JsonNode page =
                        api.get("/v3/batch/report-history?limit=100" + cursor).body();
                for (JsonNode report : page.path("reports")) {
                    String id = report.path("report_id").asText();
                    history.add(id);
                    statuses.put(id, api.status(id).body().toString().replace(api.address(), "http://here"));
                }
                cursor = page.hasNonNull("next_cursor")
                        ? "&cursor=" + page.path("next_cursor").asText()
                        : "";
            } while (!cursor.isEmpty());
            return new Told(api.get("/v3/batch/credits").body(), history, statuses);
        }
    }

    @Test
    void everythingIsThereAfterIt() throws Exception {
        DemoDataFolder.create(data);
        Told before;
        Map<String, String> repeated = new LinkedHashMap<>();
        List<String> links = new ArrayList<>();
        Set<String> events = new HashSet<>();
        String open;
        try (WebhookReceiver receiver = WebhookReceiver.start()) {
            receiver.answer(() -> 500);
            try (MillraceProcess millrace = start()) {
                BatchApiClient api = BatchApiClient.of(millrace, millrace.batchKey());
                for (int i = 0; i < REPORTS; i++) {
                    boolean webhook = i % EVERY_WEBHOOK == 0;
                    String request =
                            webhook ? DemoRequests.with(DemoRequests.small(i), receiver.url()) : DemoRequests.small(i);
                    String id = api.post(PATH, request, "Idempotency-Key", "key-" + i)
                            .text("report_id");
                    repeated.put("key-" + i, id);
                    if (webhook) {
                        events.addAll(List.of(id + ".1", id + ".2"));
                    }
                }
                for (String id : repeated.values()) {
                    BatchApiClient.Answer ended = api.ended(id);
                    assertThat(ended.text("status")).isEqualTo("complete");
                    links.add(ended.text("download_url").replace(api.address(), ""));
                }
                before = Told.by(api);
                assertThat(before.history()).hasSize(REPORTS);
                open = api.submit("demographics", DemoRequests.large());
                millrace.kill(); // commands that are not decided, slices under way and events that wait
            }
            RepartitionProcess.kill(data, "copying internal.report-requests", "--partitions", "16");
            RepartitionProcess.kill(data, "making report-events", "--partitions", "16");
            assertThat(RepartitionProcess.run(data, "--partitions", "16")).contains("All topics have 16 partitions");

            try (MillraceProcess millrace = start("--kafka.partitions=16")) {
                BatchApiClient api = BatchApiClient.of(millrace, millrace.batchKey());
                assertThat(api.ended(open).text("status")).isEqualTo("complete");
                Told after = Told.by(api);
                assertThat(after.history().getFirst()).isEqualTo(open);
                assertThat(after.history().subList(1, after.history().size())).isEqualTo(before.history());
                before.statuses()
                        .forEach((id, status) -> assertThat(after.statuses()).containsEntry(id, status));
                long charged = api.status(open).body().path("used_quota").asLong();
                assertThat(after.credits().path("remaining_credits").asLong())
                        .isEqualTo(before.credits().path("remaining_credits").asLong() - charged);
                for (int i = 0; i < REPORTS; i += 7) {
                    String request = i % EVERY_WEBHOOK == 0
                            ? DemoRequests.with(DemoRequests.small(i), receiver.url())
                            : DemoRequests.small(i);
                    assertThat(api.post(PATH, request, "Idempotency-Key", "key-" + i)
                                    .text("report_id"))
                            .isEqualTo(repeated.get("key-" + i));
                    assertThat(api.fetch(api.address() + links.get(i)).statusCode())
                            .isEqualTo(200);
                }
                receiver.received().clear();
                receiver.answer(() -> 200);
                Awaitility.await().until(() -> receiver.received().stream()
                        .map(Received::id)
                        .toList()
                        .containsAll(events));
                receiver.received().forEach(event -> event.verified(millrace.webhookSecret()));
                millrace.checkStop();
            }
            assertThat(RepartitionProcess.run(data, "--confirm")).contains("deleted");
        }
    }

    private MillraceProcess start(String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "--gateway.requests-per-second=1000",
                "--notifier.retries=500ms," + String.join(",", Collections.nCopies(200, "1s")),
                "--notifier.probes=1s",
                // Most events of the endpoint have no room in memory, and wait behind an offset.
                "--notifier.window=10"));
        arguments.addAll(List.of(more));
        return MillraceProcess.start(data, DemoDataFolder.arguments(arguments.toArray(String[]::new)));
    }
}
