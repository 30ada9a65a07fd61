package millrace.processor.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.contracts.commands.FileDeletion;
import millrace.contracts.topics.Topics;
import millrace.processor.TestThreads;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The deleter step by step, with a consumer and a store of the test. */
class FileDeleterTest {
    private static final TopicPartition FIRST = new TopicPartition(Topics.FILE_DELETIONS.name(), 0);
    private static final TopicPartition SECOND = new TopicPartition(Topics.FILE_DELETIONS.name(), 1);
    private static final UUID REPORT = new UUID(1, 1);

    private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");
    private final Set<String> deleted = ConcurrentHashMap.newKeySet();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final AtomicInteger calls = new AtomicInteger();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private boolean owned = true;
    private volatile boolean unavailable;
    private long nanos;
    private final FileDeleter deleter = new FileDeleter(
            KafkaSettings.local("nowhere:1", 2, "test"),
            new FileDeleter.Tools(this::delete, () -> owned, noClients(), threads(), registry));

    @BeforeEach
    void assign() {
        consumer.subscribe(List.of(Topics.FILE_DELETIONS.name()));
        consumer.rebalance(List.of(FIRST, SECOND));
        consumer.updateBeginningOffsets(Map.of(FIRST, 0L, SECOND, 0L));
    }

    @AfterEach
    void close() {
        deleter.close();
    }

    @Test
    void whatIsHandedOutIsDeletedAndCommitted() {
        add(FIRST, 0, "a", "b");
        add(FIRST, 1, "c");
        add(SECOND, 0, "d");
        deleter.step(consumer);
        assertThat(deleted).containsExactlyInAnyOrder("a", "b", "c", "d");
        assertThat(committed()).isEqualTo(Map.of(FIRST, 2L, SECOND, 1L));
        assertThat(registry.get("millrace.files.deleted")
                        .tag("reason", "expired")
                        .counter()
                        .count())
                .isEqualTo(4);
    }

    /** A killed process has committed nothing, and its files are deleted once more. */
    @Test
    void aFileThatIsGoneAlreadyCountsAsDeleted() {
        add(FIRST, 0, "a");
        deleter.step(consumer);
        add(FIRST, 1, "a");
        deleter.step(consumer);
        assertThat(committed()).isEqualTo(Map.of(FIRST, 2L));
    }

    @Test
    void whatIsNoDeletionIsSkipped() {
        consumer.addRecord(new ConsumerRecord<>(FIRST.topic(), 0, 0, "acme", new byte[] {1}));
        add(FIRST, 1, "../../etc/passwd", "a");
        deleter.step(consumer);
        assertThat(deleted).containsExactly("a");
        assertThat(committed()).isEqualTo(Map.of(FIRST, 2L));
    }

    @Test
    void whileTheStoreIsUnavailableNothingIsLostAndLittleIsTried() {
        unavailable = true;
        for (int offset = 0; offset < 100; offset++) {
            add(FIRST, offset, "a" + offset);
        }
        deleter.step(consumer);
        assertThat(calls.get()).as("calls of a store that is unavailable").isBetween(8, 16);
        assertThat(committed()).isEqualTo(Map.of(FIRST, 0L));
        assertThat(consumer.position(FIRST)).isZero();

        deleter.step(consumer);
        assertThat(consumer.paused()).containsExactlyInAnyOrder(FIRST, SECOND);
        assertThat(calls.get()).as("calls during the pause").isLessThanOrEqualTo(16);

        unavailable = false;
        pass(Duration.ofSeconds(1));
        for (int offset = 0; offset < 100; offset++) {
            add(FIRST, offset, "a" + offset);
        }
        deleter.step(consumer);
        assertThat(consumer.paused()).isEmpty();
        assertThat(deleted).hasSize(100);
        assertThat(committed()).isEqualTo(Map.of(FIRST, 100L));
    }

    @ParameterizedTest
    @CsvSource({"1, PT1S", "2, PT2S", "4, PT8S", "9, PT4M16S", "10, PT5M", "1000, PT5M"})
    void pausesGrow(int failures, Duration pause) {
        assertThat(FileDeleter.pauseAfter(failures)).isEqualTo(pause);
    }

    /** One file that nobody can delete does not stand in the way of all others for ever. */
    @Test
    void aFileThatIsRefusedWhileOthersAreDeletedIsGivenUp() {
        refused.add("stuck");
        for (int round = 1; round < 10; round++) {
            batch();
            assertThat(committed()).as("round %s", round).isEqualTo(Map.of(FIRST, 1L, SECOND, 1L));
            assertThat(consumer.position(FIRST)).isEqualTo(1);
            pass(Duration.ofMinutes(5));
        }
        batch();
        assertThat(committed()).isEqualTo(Map.of(FIRST, 3L, SECOND, 1L));
        assertThat(deleted).containsExactlyInAnyOrder("before", "after", "other");
        assertThat(registry.get("millrace.files.given.up").counter().count()).isEqualTo(1);
    }

    private void batch() {
        add(FIRST, 0, "before");
        add(FIRST, 1, "stuck");
        add(FIRST, 2, "after");
        add(SECOND, 0, "other");
        deleter.step(consumer);
    }

    @Test
    void nothingIsDeletedFromAStoreThatMayBeOfAnotherKafka() {
        owned = false;
        add(FIRST, 0, "a");
        deleter.step(consumer);
        deleter.step(consumer);
        assertThat(calls).hasValue(0);
        assertThat(consumer.position(FIRST)).isZero();

        owned = true;
        deleter.step(consumer);
        assertThat(deleted).containsExactly("a");
        assertThat(committed()).isEqualTo(Map.of(FIRST, 1L));
    }

    private void delete(String name) throws IOException {
        if (name.startsWith(".")) {
            throw new IllegalArgumentException(name);
        }
        calls.incrementAndGet();
        if (unavailable || refused.contains(name)) {
            throw new IOException("the store is unavailable");
        }
        deleted.add(name);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private void add(TopicPartition partition, long offset, String... files) {
        var deletion = new FileDeletion("acme", REPORT, FileDeletion.Reason.EXPIRED, Arrays.asList(files));
        consumer.addRecord(new ConsumerRecord<>(
                partition.topic(), partition.partition(), offset, "acme", Topics.FILE_DELETIONS.encode(deletion)));
    }

    private Map<TopicPartition, Long> committed() {
        Map<TopicPartition, Long> committed = new HashMap<>();
        consumer.committed(Set.of(FIRST, SECOND)).forEach((partition, offset) -> {
            OffsetAndMetadata known = offset;
            if (known != null) {
                committed.put(partition, known.offset());
            }
        });
        return committed;
    }

    private ServiceThreads threads() {
        return new TestThreads() {
            @Override
            public long nanoTime() {
                return nanos;
            }
        };
    }

    private static KafkaClientFactory noClients() {
        return new KafkaClientFactory() {
            @Override
            public Consumer<String, byte[]> consumer(Map<String, Object> config) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Producer<String, byte[]> producer(Map<String, Object> config) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Admin admin(Map<String, Object> config) {
                throw new UnsupportedOperationException();
            }
        };
    }
}
