package millrace.processor.rendering.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** A hundred partitions, of which few have tasks. */
class TaskOffsetsTest {
    private static final List<TopicPartition> ALL = IntStream.range(0, 100)
            .mapToObj(number -> new TopicPartition("tasks", number))
            .toList();
    private static final TopicPartition BUSY = ALL.get(42);

    private final List<Map<TopicPartition, OffsetAndMetadata>> commits = new ArrayList<>();
    private final List<OffsetCommitCallback> callbacks = new ArrayList<>();
    private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest") {
        @Override
        public synchronized Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
            return partitions.stream().collect(Collectors.toMap(p -> p, p -> new OffsetAndMetadata(7)));
        }

        @Override
        public synchronized void commitAsync(
                Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
            commits.add(offsets);
            callbacks.add(callback);
        }
    };
    private final TaskOffsets offsets = new TaskOffsets(
            new TaskConsumer(new MockClients(), KafkaSettings.local("localhost:1", 100, "test"), "group", "lane"));

    TaskOffsetsTest() {
        offsets.assigned(ALL);
    }

    @Test
    void onlyPartitionsThatHaveMovedAreCommitted() {
        assertThat(offsets.commit(true)).isTrue();
        assertThat(commits).as("nothing has moved").isEmpty();
        offsets.received(BUSY, 7);
        offsets.starting(BUSY, 7);
        assertThat(offsets.commit(true)).isTrue();
        offsets.finished(BUSY, 7);
        assertThat(offsets.commit(true)).isTrue();
        assertThat(offsets.commit(true)).isTrue();
        assertThat(commits)
                .containsExactly(
                        Map.of(BUSY, new OffsetAndMetadata(7, "0:1")), Map.of(BUSY, new OffsetAndMetadata(8, "")));
    }

    /** The answer to a commit comes when another one begins. */
    @Test
    void aCommitThatFailedIsRepeated() {
        offsets.received(BUSY, 7);
        offsets.finished(BUSY, 7);
        assertThat(offsets.commit(true)).isTrue();
        callbacks.getFirst().onComplete(commits.getFirst(), new TimeoutException("no answer"));
        assertThat(offsets.commit(true)).isTrue();
        assertThat(commits).hasSize(2).last().isEqualTo(Map.of(BUSY, new OffsetAndMetadata(8, "")));
    }

    @Test
    void aPartitionThatIsGoneIsNotCommitted() {
        offsets.received(BUSY, 7);
        offsets.forget(List.of(BUSY));
        offsets.finished(BUSY, 7);
        assertThat(offsets.commit(true)).isTrue();
        assertThat(commits).isEmpty();
    }

    private final class MockClients implements KafkaClientFactory {
        @Override
        public Consumer<String, byte[]> consumer(Map<String, Object> config) {
            return consumer;
        }

        @Override
        public Producer<String, byte[]> producer(Map<String, Object> config) {
            throw new IllegalStateException("nothing is written");
        }

        @Override
        public Admin admin(Map<String, Object> config) {
            throw new IllegalStateException("nothing is asked");
        }
    }
}
