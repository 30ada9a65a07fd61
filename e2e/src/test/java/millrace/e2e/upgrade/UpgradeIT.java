package millrace.e2e.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.client.WebhookReceiver.Received;
import millrace.e2e.process.AdminCommand;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.BatchApiClient.Answer;
import millrace.e2e.process.MillraceProcess;
import millrace.e2e.process.RepartitionProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** This build continues with the data folders of released builds, and loses nothing. */
class UpgradeIT {
    @TempDir
    Path folder;

    /** The oldest format. */
    @Test
    void goesOnWhereTheFirstReleaseHasStopped() throws Exception {
        goesOnWhereAReleaseHasStopped(ReleaseDataFolder.releases().getFirst());
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("laterReleases")
    @Tag("thorough") // starts Millrace once for each
    void goesOnWhereLaterReleasesHaveStopped(String release) throws Exception {
        goesOnWhereAReleaseHasStopped(release);
    }

    static List<String> laterReleases() throws IOException {
        List<String> releases = ReleaseDataFolder.releases();
        return releases.subList(1, releases.size());
    }

    /** The release and this build have another number of partitions. */
    @ParameterizedTest
    @MethodSource("releases")
    @Tag("thorough") // starts Millrace once for each
    void goesOnWithMorePartitions(String release) throws Exception {
        ReleaseDataFolder kept = ReleaseDataFolder.unpack(release, folder.resolve("data"));
        RepartitionProcess.kill(kept.data(), "making report-status", "--partitions", "16");
        String printed = RepartitionProcess.run(kept.data(), "--partitions", "16");
        assertThat(printed).contains("All topics have 16 partitions");
        goesOn(kept, "--kafka.partitions=16");
    }

    static List<String> releases() throws IOException {
        return ReleaseDataFolder.releases();
    }

    private void goesOnWhereAReleaseHasStopped(String release) throws Exception {
        goesOn(ReleaseDataFolder.unpack(release, folder.resolve("data")));
    }

    private void goesOn(ReleaseDataFolder kept, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(KeepDataFolderIT.FOR_A_CENTURY);
        arguments.addAll(List.of(more));
        arguments.addAll(List.of("--standalone.demo-last-day=2026-11-07", "--gateway.requests-per-second=1000"));
        try (WebhookReceiver receiver = WebhookReceiver.start(ReleaseDataFolder.RECEIVER);
                MillraceProcess millrace = MillraceProcess.start(kept.data(), arguments.toArray(String[]::new))) {
            var admin = new AdminCommand(folder.resolve("home"), kept.data());
            BatchApiClient acme = api(millrace, kept.recorded("acme"));

            holds(AccountSnapshot.accounts(admin.typed("accounts")), kept.recorded("accounts"), "accounts");
            holds(AccountSnapshot.of(acme), statements(kept.recorded("acme")), "acme");
            holds(AccountSnapshot.of(api(millrace, kept.recorded("demo"))), statements(kept.recorded("demo")), "demo");
            assertThat(BatchApiClient.of(
                                    millrace,
                                    kept.recorded("acme").path("revoked").asText())
                            .get("/v3/batch/credits")
                            .code())
                    .isEqualTo(401);
            openReportsEnd(api(millrace, kept.recorded("slow")), kept.recorded("slow"));
            waitingEventsCome(receiver, kept);
            repeatsAreAnsweredAsBefore(acme, kept);
        }
    }

    private static void openReportsEnd(BatchApiClient api, JsonNode recorded) {
        long charged = 0;
        for (var report : recorded.path("rows").properties()) {
            JsonNode status = api.ended(report.getKey()).body();
            assertThat(status.path("row_count")).as("%s", status).isEqualTo(report.getValue());
            charged += status.path("used_quota").asLong();
        }
        assertThat(charged).isPositive();
        long left = recorded.path("granted").asLong() - charged;
        Awaitility.await()
                .untilAsserted(() -> assertThat(api.remainingCredits()).isEqualTo(left));
    }

    private static void waitingEventsCome(WebhookReceiver receiver, ReleaseDataFolder kept) {
        Set<String> waiting = new HashSet<>();
        kept.recorded("webhooks").path("waiting").forEach(id -> waiting.add(id.asText()));
        Awaitility.await().until(() -> receiver.received().size() >= waiting.size());
        assertThat(receiver.received()).extracting(Received::id).containsExactlyInAnyOrderElementsOf(waiting);
        receiver.received()
                .forEach(event -> event.verified(kept.recorded("secret").asText()));
    }

    private static void repeatsAreAnsweredAsBefore(BatchApiClient api, ReleaseDataFolder kept) {
        String request = kept.recorded("repeated").asText();
        Answer answer = api.post(
                "/v3/batch/keywords/request-report", request, "Idempotency-Key", KeepDataFolderIT.IDEMPOTENCY_KEY);
        assertThat(kept.recorded("acme").path("reports").has(answer.text("report_id")))
                .isTrue();
        Answer another = api.ended(api.submit("keywords", request));
        assertThat(another.text("status")).isEqualTo("complete");
    }

    private static BatchApiClient api(MillraceProcess millrace, JsonNode recorded) {
        return BatchApiClient.of(millrace, recorded.path("key").asText());
    }

    private static JsonNode statements(JsonNode recorded) {
        ObjectNode statements = recorded.deepCopy();
        return statements.without(List.of("key", "revoked"));
    }

    /** Checks that all recorded fields have the same values now; there may be further fields. */
    private static void holds(JsonNode now, JsonNode before, String where) {
        if (before.isObject()) {
            before.properties()
                    .forEach(field -> holds(now.path(field.getKey()), field.getValue(), where + "/" + field.getKey()));
        } else if (before.isArray()) {
            assertThat(now.size()).as(where).isEqualTo(before.size());
            for (int i = 0; i < before.size(); i++) {
                holds(now.path(i), before.path(i), where + "/" + i);
            }
        } else {
            assertThat(now).as(where).isEqualTo(before);
        }
    }
}
