package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.topics.Topics;
import millrace.notifier.bootstrap.NotifierTestKafka;
import millrace.notifier.endpoint.EndpointBacklog;
import millrace.notifier.endpoint.EndpointFlow;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.notifier.endpoint.RestoredState;
import millrace.runtime.service.SteadyClock;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeliveryStateReaderTest {
    private static final String ENDPOINT = "acme|http://r.example:80";
    /** Where the former owner was in the source. */
    private static final long END = 50;

    private static final UUID REPORT = UUID.fromString("845d6440-79d1-4125-964e-eaef0d6923e5");

    private final RestoredState restored = new RestoredState();
    private final SteadyClock clock = new SteadyClock(() -> Instant.EPOCH, () -> 0);
    private int offset = 40;

    @Test
    void theNewestStateOfAnEventCounts() {
        read(waiting(REPORT + ".2", 2, 1, null));
        read(waiting(REPORT + ".1", 1, 1, null));
        read(waiting(REPORT + ".2", 2, 12, 10));
        EndpointQueue queue = restored();
        assertThat(queue.size()).isEqualTo(2);
        assertThat(next(queue).id()).isEqualTo(REPORT + ".1");
        HeldEvent second = next(queue);
        assertThat(second.id()).isEqualTo(REPORT + ".2");
        assertThat(second.attempts()).isEqualTo(12);
        assertThat(second.resentAfter()).isEqualTo(10);
        assertThat(second.due()).isEqualTo(1000);
        assertThat(second.occurredAt()).isEqualTo(500);
        assertThat(second.stateOffset()).isEqualTo(42);
        assertThat(second.delivery()).isNull();
    }

    @Test
    void whatEndedIsNotThereAnyMore() {
        read(waiting(REPORT + ".1", 1, 1, null));
        read(waiting("another id", 7, 1, null));
        read(waiting(REPORT + ".2", 2, 1, null));
        read(DeliveryState.Waiting.key(ENDPOINT, REPORT + ".1"), null);
        read(DeliveryState.Waiting.key(ENDPOINT, "another id"), null);
        EndpointQueue queue = restored();
        assertThat(queue.size()).isEqualTo(1);
        assertThat(next(queue).id()).isEqualTo(REPORT + ".2");
    }

    @Test
    void urlsThatAreGoneAndThatCameBack() {
        for (String url : List.of("http://r.example/a", "http://r.example/b")) {
            put(new DeliveryState.Gone(ENDPOINT, url, Instant.ofEpochMilli(7)));
        }
        read(DeliveryState.Gone.key(ENDPOINT, "http://r.example/a"), null);
        EndpointQueue queue = restored();
        assertThat(queue.goneUrls()).isOne();
        assertThat(queue.whyGone("http://r.example/b")).isNotNull();
    }

    @Test
    void aBacklogGoesOnWhereItWas() {
        read(waiting(REPORT + ".1", 1, 1, null));
        put(new DeliveryState.Behind(ENDPOINT, 7, Instant.ofEpochMilli(400)));
        put(new DeliveryState.Behind(ENDPOINT, 12, Instant.ofEpochMilli(450)));
        restored.state(ENDPOINT, state(4));
        EndpointQueue queue = restored();
        EndpointBacklog backlog = Objects.requireNonNull(queue.backlog());
        assertThat(backlog.from()).isEqualTo(12);
        assertThat(backlog.since()).isEqualTo(450);
        assertThat(backlog.events()).isEqualTo(3);
        assertThat(queue.waiting()).isEqualTo(4);
        assertThat(queue.oldest()).isEqualTo(450);
        backlog.reached(END - 1);
        assertThat(backlog.isEmpty()).isFalse();
        backlog.reached(END);
        assertThat(backlog.isEmpty()).isTrue();
    }

    @Test
    void aBacklogThatHasEndedIsNotThereAnyMore() {
        read(waiting(REPORT + ".1", 1, 1, null));
        put(new DeliveryState.Behind(ENDPOINT, 7, Instant.ofEpochMilli(400)));
        read(DeliveryState.Behind.key(ENDPOINT), null);
        assertThat(restored().backlog()).isNull();
    }

    /** Earlier versions remembered every URL. */
    @Test
    void ofManyUrlsThatAreGoneTheNewestAreTakenOver() {
        for (int i = 0; i < 20_000; i++) {
            put(new DeliveryState.Gone(ENDPOINT, "http://r.example/" + i, Instant.ofEpochMilli(i)));
        }
        EndpointQueue queue = restored();
        assertThat(queue.goneUrls()).isEqualTo(100);
        assertThat(queue.stopped().getFirst().url()).isEqualTo("http://r.example/19999");
        assertThat(queue.takeDeleted()).as("of the account's newest").hasSize(900);
        assertThat(restored.surplus())
                .as("what is deleted after this take-over")
                .hasSize(10_000)
                .contains(DeliveryState.Gone.key(ENDPOINT, "http://r.example/0"));
    }

    /** The wall clock of the former owner was an hour ahead, or this one's was set back. */
    @Test
    void anEventWaitsAtMostAsLongAsItsWriterMeant() {
        long hour = Duration.ofHours(1).toMillis();
        DeliveryState.Waiting planned = waiting(REPORT + ".1", 1, 1, null);
        var ahead = new DeliveryState.Waiting(
                planned.endpoint(),
                planned.delivery(),
                planned.attempts(),
                planned.nextAttemptAt().plusMillis(hour),
                null);
        byte[] value = Topics.DELIVERY_STATE.encode(ahead);
        DeliveryStateReader.read(
                new ConsumerRecord<>(
                        "t",
                        3,
                        40,
                        hour,
                        TimestampType.CREATE_TIME,
                        0,
                        value.length,
                        ahead.key(),
                        value,
                        new RecordHeaders(),
                        Optional.empty()),
                restored,
                clock);
        assertThat(next(restored()).due()).isEqualTo(1000);
    }

    @Test
    void anythingElseIsAnError() {
        for (String value : List.of("", "{}", "[1", "{\"type\":\"waiting\"}", "{\"type\":\"other\"}")) {
            assertThatThrownBy(() -> read("k", value.getBytes(StandardCharsets.UTF_8)))
                    .isInstanceOf(SerializationException.class);
        }
    }

    private void read(DeliveryState.Waiting waiting) {
        put(waiting);
    }

    private void put(DeliveryState state) {
        read(state.key(), Topics.DELIVERY_STATE.encode(state));
    }

    private static EndpointState state(long waiting) {
        return new EndpointState(
                "acme",
                ENDPOINT,
                EndpointState.Breaker.CLOSED,
                0,
                null,
                null,
                waiting,
                null,
                null,
                null,
                0,
                List.of(),
                Instant.ofEpochMilli(600),
                null);
    }

    private void read(String key, byte @Nullable [] value) {
        DeliveryStateReader.read(new ConsumerRecord<>("t", 3, offset++, key, value), restored, clock);
    }

    private EndpointQueue restored() {
        Map<String, EndpointQueue> queues = new HashMap<>();
        restored.restore(
                END,
                key -> queues.computeIfAbsent(
                        key,
                        k -> new EndpointQueue(
                                k,
                                3,
                                new EndpointFlow(
                                        NotifierTestKafka.settings(Map.of()).flow()))));
        assertThat(queues).containsOnlyKeys(ENDPOINT);
        return Objects.requireNonNull(queues.get(ENDPOINT));
    }

    private static HeldEvent next(EndpointQueue queue) {
        return Objects.requireNonNull(queue.next(Duration.ofHours(1).toMillis()));
    }

    private static DeliveryState.Waiting waiting(String id, int sequence, int attempts, @Nullable Integer resentAfter) {
        var delivery = new Deliver(
                id,
                "acme",
                "http://r.example/a",
                REPORT,
                sequence,
                Instant.ofEpochMilli(500),
                "{\"type\":\"x\"}",
                "00-00");
        return new DeliveryState.Waiting(ENDPOINT, delivery, attempts, Instant.ofEpochMilli(1000), resentAfter);
    }
}
