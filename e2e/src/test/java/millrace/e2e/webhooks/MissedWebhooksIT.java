package millrace.e2e.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.client.WebhookReceiver.Received;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MillraceProcess;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.accounts.DeclaredAccount;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A receiver that was down finds the events that it missed and gets them, also after its secret has changed. */
@Tag("thorough") // kills a receiver and the service
class MissedWebhooksIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final String WEBHOOKS = "/v3/batch/webhooks/";
    private static final String NEW_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    private static final int REPORTS = 3;
    /** Each report has two events: processing and complete. */
    private static final int EVENTS = 2 * REPORTS;

    @TempDir
    Path data;

    @Test
    void aReceiverCatchesUpAfterAnOutageAndARotation() throws Exception {
        DemoDataFolder.create(data);
        try (var receiver = WebhookReceiver.start()) {
            receiver.answer(() -> 500);
            Set<String> missed;
            String oldSecret;
            String endpoint;
            String late;
            try (MillraceProcess millrace = started()) {
                BatchApiClient api = BatchApiClient.of(millrace, millrace.batchKey());
                oldSecret = millrace.webhookSecret();
                Instant before = Instant.now().minusSeconds(60);
                for (int i = 0; i < REPORTS; i++) {
                    api.ended(api.submit("demographics", DemoRequests.with(DemoRequests.small(i), receiver.url())));
                }
                missed = missed(api);
                endpoint = endpoint(api, receiver);
                receiver.answer(() -> 200);
                post(api, "endpoints/" + endpoint + "/enable", "");
                JsonNode resent =
                        post(api, "resend", "{\"from\":\"" + before + "\",\"endpoint\":\"" + endpoint + "\"}");
                assertThat(resent.path("left").asInt()).isZero();
                await().atMost(TIMEOUT).until(() -> ids(api, "delivered").equals(missed));
                checkReceived(receiver, missed, oldSecret);

                receiver.answer(() -> 500);
                late = api.submit("demographics", DemoRequests.with(DemoRequests.small(REPORTS), receiver.url()))
                        + ".1";
                await().atMost(TIMEOUT).until(() -> attempts(api, late) > 0);
                millrace.checkStop();
            }
            rotate(oldSecret);
            receiver.answer(() -> 200);
            try (MillraceProcess millrace = started()) {
                BatchApiClient api = BatchApiClient.of(millrace, millrace.batchKey());
                get(api, "deliveries/" + late);
                assertThat(ids(api, "delivered")).containsAll(missed);
                post(api, "endpoints/" + endpoint + "/enable", "");
                post(api, "deliveries/" + late + "/resend", "");
                await().atMost(TIMEOUT).until(() -> ids(api, "delivered").contains(late));
            }
            checkRotation(receiver, late, oldSecret);
        }
    }

    /** The missed events, once the API lists all of them. */
    private static Set<String> missed(BatchApiClient api) {
        await().atMost(TIMEOUT)
                .until(() -> ids(api, "failed,dead,waiting").size() == EVENTS
                        && !ids(api, "failed,dead").isEmpty());
        Set<String> missed = ids(api, "failed,dead,waiting");
        String tried = ids(api, "failed,dead").iterator().next();
        JsonNode detail = get(api, "deliveries/" + tried);
        assertThat(detail.path("attempts").get(0).path("http_status").asInt()).isEqualTo(500);
        assertThat(detail.path("body").asText()).contains("report_status_change");
        return missed;
    }

    /** The only endpoint, once the API shows that it fails. */
    private static String endpoint(BatchApiClient api, WebhookReceiver receiver) {
        JsonNode endpoint = await().atMost(TIMEOUT)
                .until(
                        () -> get(api, "endpoints").path("endpoints").path(0),
                        e -> e.path("last_error").path("http_status").asInt() == 500);
        assertThat(receiver.url()).startsWith(endpoint.path("origin").asText());
        return endpoint.path("endpoint").asText();
    }

    /** Checks that every event arrived in the end, each time with the same id and bytes. */
    private static void checkReceived(WebhookReceiver receiver, Set<String> missed, String secret) {
        assertThat(new TreeSet<>(receiver.received().stream().map(Received::id).toList()))
                .containsAll(missed);
        for (String id : missed) {
            List<Received> received = of(receiver, id);
            assertThat(received).allSatisfy(r -> r.verified(secret));
            assertThat(received.stream().map(Received::text).distinct()).hasSize(1);
        }
    }

    /** Checks that at first only the old secret verifies an event, and that both do while both are declared. */
    private static void checkRotation(WebhookReceiver receiver, String id, String oldSecret) {
        List<Received> received = of(receiver, id);
        Received first = received.getFirst().verified(oldSecret);
        assertThatThrownBy(() -> first.verified(NEW_SECRET)).isInstanceOf(AssertionError.class);
        Received last = received.getLast();
        for (String secret : List.of(oldSecret, NEW_SECRET)) {
            assertThatCode(() -> last.verified(secret)).doesNotThrowAnyException();
        }
        assertThat(last.text()).isEqualTo(first.text());
        assertThat(timestamp(last)).isGreaterThan(timestamp(first));
    }

    private static long timestamp(Received received) {
        return Long.parseLong(received.headers()
                .getOrDefault("webhook-timestamp", List.of("0"))
                .getFirst());
    }

    private static List<Received> of(WebhookReceiver receiver, String id) {
        return receiver.received().stream().filter(r -> r.id().equals(id)).toList();
    }

    private static Set<String> ids(BatchApiClient api, String states) {
        return new TreeSet<>(get(api, "deliveries?limit=100&state=" + states)
                .path("deliveries")
                .findValuesAsText("id"));
    }

    private static int attempts(BatchApiClient api, String id) {
        return get(api, "deliveries/" + id).path("attempt_count").asInt();
    }

    /** The answer, once the rate limit allows the call and the gateway has caught up. */
    private static JsonNode get(BatchApiClient api, String path) {
        return await().atMost(TIMEOUT)
                .until(() -> api.get(WEBHOOKS + path), answer -> answer.code() == 200)
                .body();
    }

    private static JsonNode post(BatchApiClient api, String path, String body) {
        return await().atMost(TIMEOUT)
                .until(() -> api.post(WEBHOOKS + path, body), answer -> answer.code() == 202)
                .body();
    }

    private void rotate(String oldSecret) throws Exception {
        Path file = data.resolve("accounts.yaml");
        List<DeclaredAccount> accounts = new ArrayList<>();
        for (DeclaredAccount a : AccountsFile.read(file).accounts()) {
            accounts.add(new DeclaredAccount(
                    a.id(),
                    a.name(),
                    a.keys(),
                    a.credits(),
                    a.entitlements(),
                    a.limits(),
                    List.of(NEW_SECRET, oldSecret)));
        }
        Files.writeString(file, new AccountsFile(accounts).text());
    }

    private MillraceProcess started() throws Exception {
        return MillraceProcess.start(
                data, DemoDataFolder.arguments("--gateway.requests-per-second=1000", "--notifier.retries=300ms,600ms"));
    }
}
