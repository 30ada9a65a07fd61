package millrace.notifier.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.topics.Topics;
import org.junit.jupiter.api.Test;

/** An account with 10,000 events, each for a URL of its own that answers 410. */
class GoneUrlsIT {
    private static final int EVENTS = 10_000;

    @Test
    void takeNoMoreMemoryAndTopicThanAFewAndDelayNobody() throws Exception {
        VerifyingReceiver.Script script = (request, number) -> request.path().equals("/hook") ? 204 : 410;
        try (var testKafka = new NotifierTestKafka();
                VerifyingReceiver gone = VerifyingReceiver.open(NotifierTestKafka.SECRET, script);
                VerifyingReceiver healthy = VerifyingReceiver.open(NotifierTestKafka.SECRET, script)) {
            testKafka.secrets.put("other", List.of(NotifierTestKafka.SECRET));
            Duration alone;
            try (Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
                testKafka.deliver("other", UUID.randomUUID(), 1, healthy.url("/hook"));
                await().atMost(Duration.ofSeconds(20)).until(() -> healthy.requests.size() == 1);
                alone = median(testKafka, healthy);
            }
            try (Notifier _ = testKafka.notifier(NotifierTestKafka.SETTINGS)) {
                testKafka.deliver(EVENTS, i -> gone.url("/" + "x".repeat(1900) + i));
                Duration among = median(testKafka, healthy);
                await().atMost(Duration.ofMinutes(2))
                        .until(() ->
                                testKafka.records(Topics.WEBHOOK_DEAD_LETTERS).size() == EVENTS);
                System.out.println("median of another account alone=" + alone + " among=" + among);
                assertThat(among).isLessThan(alone.plus(Duration.ofSeconds(1)));
            }
            List<DeliveryState> states = testKafka.states();
            int bytes = states.stream()
                    .mapToInt(state -> state.key().length() + Topics.DELIVERY_STATE.encode(state).length)
                    .sum();
            System.out.println("states=" + states.size() + " bytes=" + bytes + " attempts=" + gone.requests.size());
            assertThat(states).hasSize(100);
            assertThat(gone.requests).as("those under way at once").hasSizeLessThan(200);
        }
    }

    /** How long some events take until their receiver has them. A machine that pauses delays few of them. */
    private static Duration median(NotifierTestKafka testKafka, VerifyingReceiver receiver) {
        List<Duration> all = new ArrayList<>();
        for (int i = 0; i < 51; i++) {
            int had = receiver.requests.size();
            Instant sent = Instant.now();
            testKafka.deliver("other", UUID.randomUUID(), 1, receiver.url("/hook"));
            await().pollInterval(Duration.ofMillis(1))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> receiver.requests.size() > had);
            all.add(Duration.between(sent, Instant.now()));
        }
        return all.stream().sorted().toList().get(all.size() / 2);
    }
}
