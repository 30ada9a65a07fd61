package millrace.notifier.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.EndpointState.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdleEndpointsTest {
    private static final long NOW = Duration.ofDays(20_000).toMillis();

    @ParameterizedTest(name = "{0}, {1} minutes ago: {2}")
    @CsvSource({
        "works,        54, false",
        "works,        56, true",
        "fails,        56, false",
        "fails,      1441, true",
        "works again,  56, true",
        "holds,      1441, false",
        "gone,       1441, false",
        "behind,     1441, false",
        "unpublished, 1441, false",
    })
    void areForgotten(String what, int minutesAgo, boolean forgotten) {
        long then = NOW - Duration.ofMinutes(minutesAgo).toMillis();
        EndpointQueue queue = queue("acme", 1, then, q -> {
            var failure = new Failure(Instant.ofEpochMilli(then), 500, "It answered 500.");
            switch (what) {
                case "works" -> q.history().succeeded(Instant.ofEpochMilli(then));
                case "fails" -> q.history().failed(failure);
                case "works again" -> {
                    q.history().failed(failure);
                    q.history().succeeded(Instant.ofEpochMilli(then));
                }
                case "holds" -> q.add(SampleEvents.arrived(1, 1, then));
                case "gone" -> q.markGone("http://r.example/gone", then);
                case "behind" -> q.fallBehind(7, then).passOver(7);
                default -> {}
            }
        });
        if (what.equals("unpublished")) {
            queue = new EndpointQueue("acme|http://r.example:80", 0, new EndpointFlow(SampleEvents.rules(1)));
        }
        assertThat(IdleEndpoints.toForget(List.of(queue), NOW)).hasSize(forgotten ? 1 : 0);
    }

    @Test
    void ofAnAccountWithManyTheNewestAreKept() {
        List<EndpointQueue> queues = new ArrayList<>();
        for (int i = 0; i < IdleEndpoints.MOST_OF_ACCOUNT + 3; i++) {
            queues.add(queue("acme", i, NOW - i, q -> {}));
        }
        queues.add(queue("acme", 7000, NOW - 1_000_000, q -> q.markGone("http://7000/", NOW)));
        queues.add(queue("other", 0, NOW - 1_000_000, q -> {}));
        assertThat(IdleEndpoints.toForget(queues, NOW))
                .extracting(EndpointQueue::key)
                .as("what is gone is worth more, but counts")
                .containsExactlyInAnyOrder(
                        "acme|http://999:80", "acme|http://1000:80", "acme|http://1001:80", "acme|http://1002:80");
    }

    @Test
    void thoseWithUrlsThatAreGoneAreForgottenWhereThereAreTooMany() {
        List<EndpointQueue> queues = new ArrayList<>();
        for (int i = 0; i < IdleEndpoints.MOST_OF_ACCOUNT + 3; i++) {
            queues.add(queue("acme", i, NOW - i, q -> q.markGone("http://r.example/gone", NOW)));
        }
        assertThat(IdleEndpoints.toForget(queues, NOW)).hasSize(3);
    }

    private static EndpointQueue queue(String account, int number, long published, Consumer<EndpointQueue> state) {
        var queue =
                new EndpointQueue(account + "|http://" + number + ":80", 0, new EndpointFlow(SampleEvents.rules(1)));
        state.accept(queue);
        queue.history()
                .published(new EndpointState(
                        account,
                        queue.key(),
                        EndpointState.Breaker.CLOSED,
                        0,
                        null,
                        null,
                        0,
                        null,
                        null,
                        null,
                        0,
                        List.of(),
                        Instant.ofEpochMilli(published),
                        null));
        return queue;
    }
}
