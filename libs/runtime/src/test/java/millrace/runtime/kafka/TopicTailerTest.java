package millrace.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

class TopicTailerTest {
    /** A service that fails while it starts closes what it has made so far. */
    @Test
    void canBeClosedWithoutHavingBeenStarted() {
        var tailer = new TopicTailer(KafkaSettings.local("127.0.0.1:1", 1, "test"), "test", new FoldedOffsets());
        TailedTopics topic = tailer.add(Topics.ACCOUNTS, TopicTailer.Beginning.OLDEST, record -> {});
        assertThatCode(tailer::close).doesNotThrowAnyException();
        assertThat(topic.caughtUp()).isFalse();
    }

    @Test
    void aRecordThatCannotBeDecodedIsSkipped() throws Exception {
        var partition = new TopicPartition(Topics.ACCOUNTS.name(), 0);
        var consumer = new MockConsumer<String, byte[]>("earliest");
        consumer.updatePartitions(
                partition.topic(), List.of(new PartitionInfo(partition.topic(), 0, null, null, null)));
        consumer.updateBeginningOffsets(Map.of(partition, 0L));
        consumer.updateEndOffsets(Map.of(partition, 2L));
        consumer.schedulePollTask(() -> {
            consumer.addRecord(new ConsumerRecord<>(partition.topic(), 0, 0, "bad", new byte[0]));
            consumer.addRecord(new ConsumerRecord<>(partition.topic(), 0, 1, "good", new byte[0]));
        });
        List<String> folded = new CopyOnWriteArrayList<>();
        try (var tailer = new TopicTailer("test", new FoldedOffsets(), Duration.ZERO, () -> consumer)) {
            TailedTopics topic = tailer.add(Topics.ACCOUNTS, TopicTailer.Beginning.OLDEST, record -> {
                if (record.key().equals("bad")) {
                    throw new SerializationException("for this test");
                }
                folded.add(record.key());
            });
            tailer.start();
            assertThat(topic.awaitCaughtUp(Duration.ofSeconds(10))).isTrue();
        }
        assertThat(folded).containsExactly("good");
    }

    /** The consumer fails as a whole; it goes on with the others, and tries again. */
    @Test
    void aTopicThatMayNotBeReadDoesNotHoldUpTheOthers() throws Exception {
        var consumer = new MockConsumer<String, byte[]>("earliest");
        for (Topic<?> topic : List.of(Topics.ACCOUNTS, Topics.KEY_USES)) {
            var partition = new TopicPartition(topic.name(), 0);
            consumer.updatePartitions(topic.name(), List.of(new PartitionInfo(topic.name(), 0, null, null, null)));
            consumer.updateBeginningOffsets(Map.of(partition, 0L));
            consumer.updateEndOffsets(Map.of(partition, 0L));
        }
        consumer.setPollException(new TopicAuthorizationException(Set.of(Topics.KEY_USES.name())));
        var consumers = new AtomicInteger();
        try (var tailer = new TopicTailer("test", new FoldedOffsets(), Duration.ZERO, () -> {
            consumers.incrementAndGet();
            return consumer;
        })) {
            TailedTopics read = tailer.add(Topics.ACCOUNTS, TopicTailer.Beginning.OLDEST, record -> {});
            TailedTopics denied = tailer.add(Topics.KEY_USES, TopicTailer.Beginning.OLDEST, record -> {});
            tailer.start();
            assertThat(read.awaitCaughtUp(Duration.ofSeconds(10))).isTrue();
            assertThat(denied.caughtUp()).isFalse();
            assertThat(denied.awaitCaughtUp(Duration.ofSeconds(10))).isTrue();
            assertThat(consumers).hasValue(1);
        }
    }
}
