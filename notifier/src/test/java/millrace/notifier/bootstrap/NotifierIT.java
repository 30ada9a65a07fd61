package millrace.notifier.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookAttempt.Outcome;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.topics.Topics;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The notifier on a real broker, with receivers on real sockets. */
class NotifierIT {
    private static final VerifyingReceiver.Script FINE = (request, number) -> 204;
    private static NotifierTestKafka testKafka;

    @BeforeAll
    static void open() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(20));
        testKafka = new NotifierTestKafka();
    }

    @AfterAll
    static void close() {
        assertThat(testKafka.fatal).hasValue(null);
        testKafka.close();
    }

    @Test
    void deliversASignedEventAndTellsOfTheAttempt() throws Exception {
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, FINE);
                Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
            String url = receiver.url("/hook?token=secret");
            String id = testKafka.deliver(UUID.randomUUID(), 1, url);
            await().until(() -> !testKafka.attempts(id).isEmpty());
            assertThat(receiver.requests).singleElement().satisfies(request -> {
                assertThat(request.id()).isEqualTo(id);
                assertThat(request.verified()).isTrue();
            });
            WebhookAttempt attempt = testKafka.attempts(id).getFirst();
            assertThat(attempt.outcome()).isEqualTo(Outcome.DELIVERED);
            assertThat(attempt.httpStatus()).isEqualTo(204);
            assertThat(attempt.url()).isEqualTo(receiver.url("/hook"));
            assertThat(attempt.attempt()).isEqualTo(1);
            assertThat(attempt.phaseMillis()).containsKeys("connect", "headers");
            var record = testKafka.records(Topics.WEBHOOK_ATTEMPTS).stream()
                    .filter(r -> new String(r.value(), StandardCharsets.UTF_8).contains(id))
                    .findFirst()
                    .orElseThrow();
            assertThat(record.key())
                    .isEqualTo(
                            WebhookEndpoint.of(NotifierTestKafka.ACCOUNT, url).key());
            Map<String, String> headers = new HashMap<>();
            record.headers().forEach(h -> headers.put(h.key(), new String(h.value(), StandardCharsets.UTF_8)));
            assertThat(headers)
                    .containsEntry("ce_id", id + ".1")
                    .containsEntry("ce_type", "millrace.webhook-attempts.delivered.v1");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            500  | The receiver answered 500.
            302  | The receiver answered 302, which is not followed.
            404  | The receiver answered 404.
            slow | No complete answer within 600 ms; the time ended while waiting for the status line and headers.
            """)
    void retriesOnScheduleAndGivesUp(String behaviour, String reason) throws Exception {
        var over = new CountDownLatch(1);
        VerifyingReceiver.Script script = (request, number) -> {
            if (behaviour.equals("slow")) {
                over.await();
                return 200;
            }
            return Integer.parseInt(behaviour);
        };
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, script);
                Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
            String id = testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/hook"));
            await().until(() -> deadLetters(id), letters -> !letters.isEmpty());
            over.countDown();
            WebhookDeadLetter letter = deadLetters(id).getFirst();
            assertThat(letter.reason()).isEqualTo(reason);
            assertThat(letter.attempts()).isEqualTo(3);
            assertThat(receiver.requests).hasSize(3).allMatch(VerifyingReceiver.Request::verified);
            List<WebhookAttempt> attempts = testKafka.attempts(id);
            assertThat(attempts)
                    .extracting(WebhookAttempt::outcome)
                    .containsExactly(Outcome.FAILED, Outcome.FAILED, Outcome.GIVEN_UP);
            for (int i = 1; i < 3; i++) {
                assertThat(attempts.get(i).startedAt())
                        .isAfterOrEqualTo(attempts.get(i - 1).nextAttemptAt());
            }
            assertThat(stateOf(id)).isEmpty();
        }
    }

    @Test
    void aRefusedPortAndABlockedAddressAreGivenUpToo() {
        try (Notifier _ = testKafka.notifier(NotifierTestKafka.retrying(Duration.ofMillis(50)))) {
            String refused = testKafka.deliver(UUID.randomUUID(), 1, "http://127.0.0.1:1/hook");
            String blocked = testKafka.deliver(UUID.randomUUID(), 1, "http://169.254.169.254/latest/meta-data");
            await().until(() ->
                    deadLetters(refused).size() + deadLetters(blocked).size() == 2);
            assertThat(deadLetters(refused).getFirst().reason())
                    .isEqualTo("Failed while connecting: the connection was refused.");
            assertThat(deadLetters(blocked).getFirst().reason())
                    .isEqualTo("Not sent: webhooks may not go to the address of the host.");
        }
    }

    @Test
    void retryAfterIsObeyed() throws Exception {
        try (VerifyingReceiver receiver =
                        VerifyingReceiver.open(NotifierTestKafka.SECRET, (request, number) -> number == 1 ? 429 : 200);
                Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
            receiver.retryAfter = "2";
            String id = testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/hook"));
            await().until(() -> testKafka.attempts(id).size() == 2);
            List<WebhookAttempt> attempts = testKafka.attempts(id);
            assertThat(Duration.between(
                            attempts.getFirst().startedAt(), attempts.getLast().startedAt()))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(1990));
            assertThat(attempts.getLast().outcome()).isEqualTo(Outcome.DELIVERED);
        }
    }

    @Test
    void aUrlThatAsksToWaitHoldsNoOtherAndIsTriedWhenItIsEnabled() throws Exception {
        VerifyingReceiver.Script script =
                (request, number) -> request.path().equals("/busy") && number <= 4 ? 429 : 200;
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, script);
                Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
            receiver.retryAfter = "86400";
            testKafka.deliver(4, receiver.url("/busy"));
            await().until(() -> receiver.requests.size() == 4);
            String later = testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/busy?again"));
            String fine = testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/fine"));
            await().until(() -> receiver.ids().contains(fine));
            assertThat(receiver.ids()).doesNotContain(later);
            String endpoint = WebhookEndpoint.of(NotifierTestKafka.ACCOUNT, receiver.url("/"))
                    .key();
            await().until(() -> testKafka.values(Topics.ENDPOINT_STATE).stream()
                    .filter(state -> state.endpoint().equals(endpoint))
                    .map(EndpointState::held)
                    .anyMatch(held -> held != null && held.reason() == EndpointState.HeldReason.RETRY_AFTER));
            testKafka.enable(receiver.url("/"));
            await().until(() -> receiver.requests.size() == 10);
            assertThat(receiver.ids()).contains(later);
        }
    }

    @Test
    void aReportsEventsArriveInOrderAndAFailedOneDoesNotHoldUpTheNext() throws Exception {
        UUID failing = UUID.randomUUID();
        UUID fine = UUID.randomUUID();
        VerifyingReceiver.Script script =
                (request, number) -> request.id().equals(failing + ".1") && number < 20 ? 500 : 200;
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, script);
                Notifier _ = testKafka.notifier(NotifierTestKafka.retrying(Duration.ofSeconds(1)))) {
            for (int sequence = 1; sequence <= 20; sequence++) {
                testKafka.deliver(fine, sequence, receiver.url("/hook"));
            }
            String first = testKafka.deliver(failing, 1, receiver.url("/hook"));
            String second = testKafka.deliver(failing, 2, receiver.url("/hook"));
            await().until(() -> receiver.requests.size() == 23);
            assertThat(receiver.ids().stream().filter(id -> id.startsWith(fine.toString())))
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, 20)
                            .mapToObj(n -> fine + "." + n)
                            .toList());
            assertThat(receiver.ids().stream().filter(id -> id.startsWith(failing.toString())))
                    .containsExactly(first, second, first);
        }
    }

    @Test
    void oneHangingEndpointDoesNotDelayAnother() throws Exception {
        var over = new CountDownLatch(1);
        VerifyingReceiver.Script hang = (request, number) -> {
            over.await();
            return 200;
        };
        try (VerifyingReceiver hanging = VerifyingReceiver.open(NotifierTestKafka.SECRET, hang);
                VerifyingReceiver healthy = VerifyingReceiver.open(NotifierTestKafka.SECRET, FINE);
                Notifier _ = testKafka.notifier(NotifierTestKafka.retrying(Duration.ofMinutes(1)))) {
            for (int i = 0; i < 60; i++) {
                testKafka.deliver(UUID.randomUUID(), 1, hanging.url("/hook"));
            }
            await().until(() -> hanging.requests.size() >= 4);
            assertThat(hanging.requests).hasSizeLessThanOrEqualTo(8);
            Instant before = Instant.now();
            for (int i = 0; i < 30; i++) {
                testKafka.deliver(UUID.randomUUID(), 1, healthy.url("/hook"));
            }
            await().until(() -> healthy.requests.size() == 30);
            assertThat(Duration.between(before, Instant.now())).isLessThan(Duration.ofSeconds(3));
            over.countDown();
        }
    }

    @Test
    void goneStopsAUrlUntilItIsReinstated() throws Exception {
        VerifyingReceiver.Script script =
                (request, number) -> request.path().equals("/gone") && number == 1 ? 410 : 200;
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, script)) {
            String gone = receiver.url("/gone");
            String first = testKafka.deliver(UUID.randomUUID(), 1, gone);
            try (Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
                await().until(() -> !deadLetters(first).isEmpty());
            }
            assertThat(testKafka.attempts(first))
                    .extracting(WebhookAttempt::outcome)
                    .containsExactly(Outcome.GONE);
            try (Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
                String second = testKafka.deliver(UUID.randomUUID(), 1, gone);
                String elsewhere = testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/other"));
                await().until(() -> !deadLetters(second).isEmpty()
                        && !testKafka.attempts(elsewhere).isEmpty());
                assertThat(receiver.ids()).containsExactly(first, elsewhere);
                testKafka.reinstate(gone);
                String third = testKafka.deliver(UUID.randomUUID(), 1, gone);
                await().until(() -> !testKafka.attempts(third).isEmpty());
                assertThat(receiver.ids()).containsExactly(first, elsewhere, third);
                assertThat(testKafka.states()).noneMatch(s -> s instanceof DeliveryState.Gone);
            }
        }
    }

    @Test
    void anEventThatWasGivenUpIsSentOnceMoreAndItsAttemptsCountOn() throws Exception {
        UUID report = UUID.randomUUID();
        try (VerifyingReceiver receiver =
                        VerifyingReceiver.open(NotifierTestKafka.SECRET, (request, number) -> number <= 4 ? 500 : 200);
                Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
            String url = receiver.url("/hook");
            String id = testKafka.deliver(report, 1, url);
            await().until(() -> !deadLetters(id).isEmpty());
            testKafka.resend(report, 1, url, 3);
            await().until(() -> testKafka.attempts(id).size() == 5);
            assertThat(testKafka.attempts(id))
                    .extracting(WebhookAttempt::attempt, WebhookAttempt::outcome)
                    .containsExactly(
                            tuple(1, Outcome.FAILED),
                            tuple(2, Outcome.FAILED),
                            tuple(3, Outcome.GIVEN_UP),
                            tuple(4, Outcome.FAILED),
                            tuple(5, Outcome.DELIVERED));
            assertThat(receiver.ids()).containsOnly(id).hasSize(5);
            assertThat(receiver.requests)
                    .allMatch(VerifyingReceiver.Request::verified)
                    .extracting(VerifyingReceiver.Request::body)
                    .containsOnly(receiver.requests.getFirst().body());
        }
    }

    @Test
    void anEventThatWaitsIsDueWhenItIsResent() throws Exception {
        UUID report = UUID.randomUUID();
        try (VerifyingReceiver receiver =
                        VerifyingReceiver.open(NotifierTestKafka.SECRET, (request, number) -> number == 1 ? 500 : 200);
                Notifier _ = testKafka.notifier(NotifierTestKafka.retrying(Duration.ofHours(1)))) {
            String id = testKafka.deliver(report, 1, receiver.url("/hook"));
            await().until(() -> testKafka.attempts(id).size() == 1);
            testKafka.resend(report, 1, receiver.url("/hook"), 1);
            await().until(() -> testKafka.attempts(id).size() == 2);
            assertThat(receiver.ids()).containsExactly(id, id);
        }
    }

    @Test
    void enablingAnEndpointReinstatesItsUrls() throws Exception {
        VerifyingReceiver.Script script = (request, number) -> number <= 2 ? 410 : 200;
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, script);
                Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
            for (String path : List.of("/a", "/b")) {
                String gone = testKafka.deliver(UUID.randomUUID(), 1, receiver.url(path));
                await().until(() -> !deadLetters(gone).isEmpty());
            }
            testKafka.enable(receiver.url("/"));
            String a = testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/a"));
            String b = testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/b"));
            await().until(() ->
                    !testKafka.attempts(a).isEmpty() && !testKafka.attempts(b).isEmpty());
            assertThat(receiver.ids()).hasSize(4).contains(a, b);
            assertThat(testKafka.states()).noneMatch(s -> s instanceof DeliveryState.Gone);
        }
    }

    @Test
    void anAccountWithoutSecretAndARecordThatCannotBeReadAreDeadLetters() throws Exception {
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, FINE);
                Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
            String unknown = testKafka.deliver("nobody", UUID.randomUUID(), 1, receiver.url("/hook"));
            String key = WebhookEndpoint.of(NotifierTestKafka.ACCOUNT, receiver.url("/"))
                    .key();
            testKafka.put(key, "not json".getBytes(StandardCharsets.UTF_8));
            String fine = testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/hook"));
            await().until(() ->
                    !testKafka.attempts(fine).isEmpty() && !deadLetters(unknown).isEmpty());
            assertThat(deadLetters(unknown).getFirst().reason())
                    .isEqualTo("Not sent: it cannot be signed for account nobody: there is no webhook secret.");
            assertThat(testKafka.attempts(unknown))
                    .extracting(WebhookAttempt::outcome)
                    .containsExactly(Outcome.FAILED, Outcome.FAILED, Outcome.GIVEN_UP);
            assertThat(testKafka.deadLetters())
                    .anySatisfy(letter -> assertThat(letter.body()).isEqualTo("not json"));
        }
    }

    @Test
    void anEventOfAnAccountThatIsNotKnownYetIsRetried() throws Exception {
        try (VerifyingReceiver receiver = VerifyingReceiver.open(NotifierTestKafka.SECRET, FINE);
                Notifier _ = testKafka.notifier(NotifierTestKafka.retrying(Duration.ofSeconds(1)))) {
            String early = testKafka.deliver("newcomer", UUID.randomUUID(), 1, receiver.url("/hook"));
            String other = testKafka.deliver(UUID.randomUUID(), 1, receiver.url("/hook"));
            await().until(() -> !testKafka.attempts(early).isEmpty()
                    && !testKafka.attempts(other).isEmpty());
            testKafka.secrets.put("newcomer", List.of(NotifierTestKafka.SECRET));
            await().until(() -> testKafka.attempts(early).size() == 2);
            assertThat(testKafka.attempts(early))
                    .extracting(WebhookAttempt::outcome)
                    .containsExactly(Outcome.FAILED, Outcome.DELIVERED);
            assertThat(testKafka.attempts(early).getFirst().error()).contains("account newcomer");
        }
    }

    private static List<WebhookDeadLetter> deadLetters(String eventId) {
        return testKafka.deadLetters().stream()
                .filter(letter -> letter.eventId().equals(eventId))
                .toList();
    }

    private static List<DeliveryState> stateOf(String eventId) {
        return testKafka.states().stream()
                .filter(s -> s.key().endsWith(eventId))
                .toList();
    }
}
