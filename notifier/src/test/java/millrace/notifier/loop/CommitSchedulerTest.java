package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import millrace.notifier.NotifierSettings;
import millrace.notifier.endpoint.EndpointFlow;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.service.SteadyClock;
import millrace.runtime.settings.Settings;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommitSchedulerTest {
    private static final NotifierSettings SETTINGS = Settings.sectionOf("notifier", NotifierSettings.class, Map.of());

    private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);

    private Instant wall = Instant.parse("2026-11-20T12:00:00Z");
    private long nanos;
    private final SteadyClock clock = new SteadyClock(() -> wall, () -> nanos);
    private final ServiceThreads threads = ServiceThreads.ofMachine();
    private final Consumer<String, byte[]> consumer = new MockConsumer<>("earliest");
    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(true, new RoundRobinPartitioner(), new StringSerializer(), new ByteArraySerializer());
    private final TransactionWriter transactions = new TransactionWriter(producer, threads);
    private final Mailbox mailbox = new Mailbox(consumer, threads);
    private final Ownership ownership = new Ownership();
    private final PendingWrites pendingWrites = new PendingWrites(ownership, clock);
    private final EndpointStatePublisher states = new EndpointStatePublisher(pendingWrites, clock);
    private final CommitScheduler commits =
            new CommitScheduler(consumer, transactions, ownership, pendingWrites, mailbox, clock);

    CommitSchedulerTest() {
        for (int number = 0; number < 100; number++) {
            ownership.add(new OwnedPartition(number, SourceOffsets.resume(0, ""), SETTINGS.flow()));
        }
    }

    @AfterEach
    void close() {
        transactions.close();
    }

    @Test
    void aTransactionNamesThePartitionsThatHaveMoved() {
        handle(7, 0);
        handle(7, 1);
        handle(42, 0);
        commits.commitNow();
        assertThat(lastOffsets()).isEqualTo(Map.of(7, 2L, 42, 1L));
        handle(7, 2);
        commits.commitNow();
        assertThat(lastOffsets()).isEqualTo(Map.of(7, 3L));
    }

    /** Without any, Kafka would not notice that another instance has taken over. */
    @Test
    void aTransactionWithoutMovesNamesOnePartition() {
        pendingWrites.remove(3, "a state that is not needed any more");
        commits.commitNow();
        assertThat(lastOffsets()).hasSize(1).containsValue(0L);
    }

    @Test
    void aCommitDoesNotWaitForAWallClockThatWasSetBack() {
        handle(7, 0);
        commits.runDue(clock.millis());
        wall = wall.minus(HALF_AN_HOUR);
        pass(Duration.ofMillis(70));
        commits.runDue(clock.millis());
        assertThat(pendingWrites.isEmpty()).isTrue();
    }

    @Test
    void attemptsAndStatesDoNotWaitForAWallClockThatWasSetBack() {
        var queue = new EndpointQueue("acme|http://r.example:80", 7, new EndpointFlow(SETTINGS.flow()));
        for (int attempt = 0; attempt < SETTINGS.flow().attemptsPerSecond(); attempt++) {
            queue.flow().started(clock.millis());
        }
        publish(queue);
        assertThat(pendingWrites.drain().records()).hasSize(1);
        wall = wall.minus(HALF_AN_HOUR);
        pass(Duration.ofSeconds(6));
        assertThat(queue.flow().nextStart()).isLessThanOrEqualTo(clock.millis());
        publish(queue);
        assertThat(pendingWrites.drain().records()).hasSize(1);
    }

    private void publish(EndpointQueue queue) {
        states.changed(queue);
        states.publish(clock.millis());
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
        wall = wall.plus(time);
    }

    private void handle(int number, long offset) {
        OwnedPartition partition = Objects.requireNonNull(ownership.partitions().get(number));
        assertThat(partition.offsets().take(offset)).isTrue();
        pendingWrites.release(partition, offset);
    }

    /** Of the last transaction, by partition. */
    private Map<Integer, Long> lastOffsets() {
        Map<Integer, Long> offsets = new HashMap<>();
        producer.consumerGroupOffsetsHistory()
                .getLast()
                .values()
                .forEach(ofGroup ->
                        ofGroup.forEach((partition, offset) -> offsets.put(partition.partition(), offset.offset())));
        return offsets;
    }
}
