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

/** Notifiers as processes that are killed, paused and continued, or fenced by another one. */
@Tag("thorough") // kills processes
class NotifierProcessIT {
    @TempDir
    Path folder;

    private NotifierTestKafka testKafka;

    @BeforeEach
    void open() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(90));
        testKafka = new NotifierTestKafka();
    }

    @AfterEach
    void close() {
        testKafka.close();
    }

    @Test
    void aProcessKilledUnderLoadLosesNothingAndRepeatsLittle() throws Exception {
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, (request, number) -> 204)) {
            Set<String> sent = new TreeSet<>();
            int open = 0;
            for (int run = 0; run < 2; run++) {
                try (NotifierMainProcess process = NotifierMainProcess.start(testKafka, folder, "killed")) {
                    int before = receiver.requests.size();
                    for (int i = 0; i < 400; i++) {
                        sent.add(testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/hook")));
                    }
                    await().pollInterval(Duration.ofMillis(5)).until(() -> receiver.requests.size() >= before + 100);
                    process.kill();
                    open += receiver.requests.size() - testKafka.attempts().size();
                }
            }
            try (NotifierMainProcess process = NotifierMainProcess.start(testKafka, folder, "killed")) {
                await().until(() -> ended(Outcome.DELIVERED).containsAll(sent));
                assertThat(process.get("/metrics"))
                        .contains("millrace_webhook_attempts_total{outcome=\"delivered\"}")
                        .contains("millrace_webhook_endpoints{breaker=\"closed\"}")
                        .contains("millrace_webhook_delivered_seconds_bucket");
                assertThat(process.get("/health/live")).contains("\"UP\"");
            }
            assertThat(receiver.ids()).containsAll(sent);
            assertThat(receiver.requests.size() - sent.size()).isLessThanOrEqualTo(open);
        }
    }

    @Test
    void anOwnerThatWasStoppedAndGoesOnCommitsNothingThatAnotherHasDone() throws Exception {
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, (request, number) -> 204);
                NotifierMainProcess former = NotifierMainProcess.start(testKafka, folder, "former")) {
            Set<String> sent = new TreeSet<>(deliver(receiver, 200));
            await().pollInterval(Duration.ofMillis(5)).until(() -> receiver.requests.size() >= 50);
            former.signal("STOP");
            try (Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS, "next")) {
                sent.addAll(deliver(receiver, 50));
                await().until(() -> ended(Outcome.DELIVERED).containsAll(sent));
                former.signal("CONT");
                await().until(() -> testKafka.owners() == 2);
                sent.addAll(deliver(receiver, 50));
                await().until(() -> ended(Outcome.DELIVERED).containsAll(sent)
                        && testKafka.states().isEmpty());
            }
            List<String> ends =
                    testKafka.attempts().stream().map(WebhookAttempt::eventId).toList();
            assertThat(ends).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(sent);
            assertThat(testKafka.fatal).hasValue(null);
        }
    }

    @Test
    void aSecondNotifierOfTheSameNameEndsTheFirst() throws Exception {
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, (request, number) -> 204);
                Notifier first = testKafka.notifier(NotifierTestKafka.SETTINGS, "same")) {
            await().until(first::ready);
            try (Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS, "same")) {
                await().until(() -> testKafka.fatal.get() != null);
                await().until(() -> !first.alive());
                Set<String> sent = deliver(receiver, 20);
                await().until(() -> ended(Outcome.DELIVERED).containsAll(sent));
            }
        }
    }

    @Test
    void anEndpointThatFailsIsOpenUntilItIsEnabled() throws Exception {
        var broken = new java.util.concurrent.atomic.AtomicBoolean(true);
        try (VerifyingReceiver receiver =
                VerifyingReceiver.open(NotifierTestKafka.SECRET, (request, number) -> broken.get() ? 503 : 204)) {
            String url = receiver.url("/hook");
            NotifierSettings settings =
                    NotifierTestKafka.settings(java.util.Map.of("retries", "1s,1h", "probes", "1h"));
            Set<String> sent = deliver(receiver, 30);
            try (Notifier _ = testKafka.notifier(settings)) {
                await().until(() -> breaker() == EndpointState.Breaker.OPEN);
            }
            int tried = receiver.requests.size();
            assertThat(tried).isLessThan(15);
            try (Notifier restarted = testKafka.notifier(settings)) {
                await().until(restarted::ready);
                broken.set(false);
                testKafka.enable(url);
                await().until(() -> receiver.ids().containsAll(sent));
                await().until(() -> breaker() != EndpointState.Breaker.OPEN);
            }
            EndpointState last = testKafka.values(Topics.ENDPOINT_STATE).getLast();
            assertThat(last.lastSuccessAt()).isNotNull();
            assertThat(last.lastError()).isNotNull().satisfies(error -> assertThat(error.httpStatus())
                    .isEqualTo(503));
        }
    }

    private EndpointState.Breaker breaker() {
        List<EndpointState> states = testKafka.values(Topics.ENDPOINT_STATE);
        return states.isEmpty()
                ? EndpointState.Breaker.CLOSED
                : states.getLast().breaker();
    }

    private Set<String> deliver(VerifyingReceiver receiver, int events) {
        Set<String> ids = new TreeSet<>();
        for (int i = 0; i < events; i++) {
            ids.add(testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/hook")));
        }
        return ids;
    }

    private Set<String> ended(Outcome outcome) {
        return testKafka.attempts().stream()
                .filter(a -> a.outcome() == outcome)
                .map(WebhookAttempt::eventId)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
