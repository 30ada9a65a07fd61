package millrace.notifier.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookAttempt.Outcome;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notifiers as processes: killed, stopped and gone on, fenced by another. */
@Tag("thorough") // kills processes
class NotifierProcessIT {
    @TempDir
    Path folder;

    private NotifierTestKafka desk;

    @BeforeEach
    void open() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(90));
        desk = new NotifierTestKafka();
    }

    @AfterEach
    void close() {
        desk.close();
    }

    @Test
    void aProcessKilledUnderLoadLosesNothingAndRepeatsLittle() throws Exception {
        try (VerifyingReceiver inbox = VerifyingReceiver.open(NotifierTestKafka.SECRET, (request, number) -> 204)) {
            Set<String> sent = new TreeSet<>();
            int open = 0;
            for (int life = 0; life < 2; life++) {
                try (NotifierMainProcess process = NotifierMainProcess.start(desk, folder, "killed")) {
                    int before = inbox.requests.size();
                    for (int i = 0; i < 400; i++) {
                        sent.add(desk.deliver(UUID.randomUUID(), 1, inbox.url("/hook")));
                    }
                    await().pollInterval(Duration.ofMillis(5)).until(() -> inbox.requests.size() >= before + 100);
                    process.kill();
                    open += inbox.requests.size() - desk.attempts().size();
                }
            }
            try (NotifierMainProcess process = NotifierMainProcess.start(desk, folder, "killed")) {
                await().until(() -> ended(Outcome.DELIVERED).containsAll(sent));
                assertThat(process.get("/metrics"))
                        .contains("millrace_webhook_attempts_total{outcome=\"delivered\"}")
                        .contains("millrace_webhook_endpoints{breaker=\"closed\"}")
                        .contains("millrace_webhook_delivered_seconds_bucket");
                assertThat(process.get("/health/live")).contains("\"UP\"");
            }
            assertThat(inbox.ids()).containsAll(sent);
            assertThat(inbox.requests.size() - sent.size()).isLessThanOrEqualTo(open);
        }
    }

    @Test
    void anOwnerThatWasStoppedAndGoesOnCommitsNothingThatAnotherHasDone() throws Exception {
        try (VerifyingReceiver inbox = VerifyingReceiver.open(NotifierTestKafka.SECRET, (request, number) -> 204);
                NotifierMainProcess former = NotifierMainProcess.start(desk, folder, "former")) {
            Set<String> sent = new TreeSet<>(deliver(inbox, 200));
            await().pollInterval(Duration.ofMillis(5)).until(() -> inbox.requests.size() >= 50);
            former.signal("STOP");
            try (Notifier _ = desk.notifier(NotifierTestKafka.SETTINGS, "next")) {
                sent.addAll(deliver(inbox, 50));
                await().until(() -> ended(Outcome.DELIVERED).containsAll(sent));
                former.signal("CONT");
                await().until(() -> desk.owners() == 2);
                sent.addAll(deliver(inbox, 50));
                await().until(() -> ended(Outcome.DELIVERED).containsAll(sent)
                        && desk.states().isEmpty());
            }
            List<String> ends =
                    desk.attempts().stream().map(WebhookAttempt::eventId).toList();
            assertThat(ends).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(sent);
            assertThat(desk.fatal).hasValue(null);
        }
    }

    @Test
    void aSecondNotifierOfTheSameNameEndsTheFirst() throws Exception {
        try (VerifyingReceiver inbox = VerifyingReceiver.open(NotifierTestKafka.SECRET, (request, number) -> 204);
                Notifier first = desk.notifier(NotifierTestKafka.SETTINGS, "same")) {
            await().until(first::ready);
            try (Notifier _ = desk.notifier(NotifierTestKafka.SETTINGS, "same")) {
                await().until(() -> desk.fatal.get() != null);
                await().until(() -> !first.alive());
                Set<String> sent = deliver(inbox, 20);
                await().until(() -> ended(Outcome.DELIVERED).containsAll(sent));
            }
        }
    }

    @Test
    void anEndpointThatFailsIsOpenUntilItIsEnabled() throws Exception {
        var broken = new java.util.concurrent.atomic.AtomicBoolean(true);
        try (VerifyingReceiver inbox =
                VerifyingReceiver.open(NotifierTestKafka.SECRET, (request, number) -> broken.get() ? 503 : 204)) {
            String url = inbox.url("/hook");
            NotifierSettings settings =
                    NotifierTestKafka.settings(java.util.Map.of("retries", "1s,1h", "probes", "1h"));
            Set<String> sent = deliver(inbox, 30);
            try (Notifier _ = desk.notifier(settings)) {
                await().until(() -> breaker() == EndpointState.Breaker.OPEN);
            }
            int tried = inbox.requests.size();
            assertThat(tried).isLessThan(15);
            try (Notifier restarted = desk.notifier(settings)) {
                await().until(restarted::ready);
                broken.set(false);
                desk.enable(url);
                await().until(() -> inbox.ids().containsAll(sent));
                await().until(() -> breaker() != EndpointState.Breaker.OPEN);
            }
            EndpointState last = desk.values(Topics.ENDPOINT_STATE).getLast();
            assertThat(last.lastSuccessAt()).isNotNull();
            assertThat(last.lastError()).isNotNull().satisfies(error -> assertThat(error.httpStatus())
                    .isEqualTo(503));
        }
    }

    private EndpointState.Breaker breaker() {
        List<EndpointState> states = desk.values(Topics.ENDPOINT_STATE);
        return states.isEmpty()
                ? EndpointState.Breaker.CLOSED
                : states.getLast().breaker();
    }

    private Set<String> deliver(VerifyingReceiver inbox, int events) {
        Set<String> ids = new TreeSet<>();
        for (int i = 0; i < events; i++) {
            ids.add(desk.deliver(UUID.randomUUID(), 1, inbox.url("/hook")));
        }
        return ids;
    }

    private Set<String> ended(Outcome outcome) {
        return desk.attempts().stream()
                .filter(a -> a.outcome() == outcome)
                .map(WebhookAttempt::eventId)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
