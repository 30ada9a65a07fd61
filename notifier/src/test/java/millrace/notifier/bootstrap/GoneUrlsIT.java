package millrace.notifier.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.topics.Topics;
import org.junit.jupiter.api.Test;

/** An account with 10,000 events, each for a URL of its own that answers 410. */
class GoneUrlsIT {
    private static final int EVENTS = 10_000;

    @Test
    void takeNoMoreMemoryTopicOrTimeThanAFewAndDelayNobody() throws Exception {
        VerifyingReceiver.Script script = (request, number) -> request.path().equals("/hook") ? 204 : 410;
        try (var testKafka = new NotifierTestKafka();
                VerifyingReceiver gone = VerifyingReceiver.open(NotifierTestKafka.SECRET, script);
                VerifyingReceiver healthy = VerifyingReceiver.open(NotifierTestKafka.SECRET, script)) {
            testKafka.secrets.put("other", List.of(NotifierTestKafka.SECRET));
            Duration before;
            Duration alone;
            try (Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
                testKafka.deliver("other", UUID.randomUUID(), 1, healthy.url("/hook"));
                await().atMost(Duration.ofSeconds(20)).until(() -> healthy.requests.size() == 1);
                alone = slowest(testKafka, healthy);
            }
            before = takeOver(testKafka);
            try (Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
                testKafka.deliver(EVENTS, i -> gone.url("/" + "x".repeat(1900) + i));
                Duration among = slowest(testKafka, healthy);
                await().atMost(Duration.ofMinutes(2))
                        .until(() ->
                                testKafka.records(Topics.WEBHOOK_DEAD_LETTERS).size() == EVENTS);
                System.out.println("slowest of another account alone=" + alone + " among=" + among);
                assertThat(among).isLessThan(alone.plus(Duration.ofSeconds(1)));
            }
            Duration after = takeOver(testKafka);
            List<DeliveryState> states = testKafka.states();
            int bytes = states.stream()
                    .mapToInt(state -> state.key().length() + Topics.DELIVERY_STATE.encode(state).length)
                    .sum();
            System.out.println("states=" + states.size() + " bytes=" + bytes + " attempts=" + gone.requests.size()
                    + " take-over before=" + before + " after=" + after);
            assertThat(states).hasSize(100);
            assertThat(gone.requests).as("those under way at once").hasSizeLessThan(200);
            assertThat(after).isLessThan(before.plus(Duration.ofSeconds(2)));
        }
    }

    /** How long the slowest of some events takes until its receiver has it. */
    private static Duration slowest(NotifierTestKafka testKafka, VerifyingReceiver receiver) {
        Duration slowest = Duration.ZERO;
        for (int i = 0; i < 50; i++) {
            int had = receiver.requests.size();
            Instant sent = Instant.now();
            testKafka.deliver("other", UUID.randomUUID(), 1, receiver.url("/hook"));
            await().pollInterval(Duration.ofMillis(1))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> receiver.requests.size() > had);
            Duration took = Duration.between(sent, Instant.now());
            slowest = took.compareTo(slowest) > 0 ? took : slowest;
        }
        return slowest;
    }

    /** From its start until a notifier owns all partitions. */
    private static Duration takeOver(NotifierTestKafka testKafka) {
        Instant start = Instant.now();
        try (Notifier notifier = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
            await().pollInterval(Duration.ofMillis(5))
                    .atMost(Duration.ofSeconds(30))
                    .until(notifier::ready);
            return Duration.between(start, Instant.now());
        }
    }
}
