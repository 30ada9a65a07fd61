package millrace.gateway.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.LocalStore;
import millrace.gateway.copy.database.StoreException;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyReaderTest {
    private static final KafkaSettings KAFKA = KafkaSettings.local("127.0.0.1:9", 1, "test");

    @TempDir
    Path folder;

    private @Nullable RuntimeException failure;

    private final class Reader extends CopyReader {
        Reader(LocalStore store) {
            super(
                    KAFKA,
                    new TopicTailer(KAFKA, "test", new FoldedOffsets()),
                    new Copy("store", store, List.of(Topics.ACCOUNTS), List.of(), List.of(Topics.ACCOUNTS)));
        }

        @Override
        protected CopiedTopics.Opened open(Opening opening) {
            throw new IllegalStateException("Kafka is not there");
        }

        @Override
        protected void fold(
                ConsumerRecords<String, byte[]> records,
                Map<TopicPartition, OffsetAndMetadata> read,
                Map<TopicPartition, Long> next) {
            if (failure != null) {
                throw failure;
            }
        }
    }

    /** Whatever it is: the thread goes on, with the offsets that the store has. */
    @Test
    void startsOverAfterAnyFailure() {
        try (LocalStore store = LocalStore.in(folder, "a.setting", new LocalDatabase.Bounds(1 << 20, 1 << 20, 64));
                var reader = new Reader(store)) {
            reader.foldPoll(ConsumerRecords.empty(), Map.of());
            failure = new StoreException("the disk is full", false);
            assertThatThrownBy(() -> reader.foldPoll(ConsumerRecords.empty(), Map.of()))
                    .isInstanceOf(TopicTailer.StartOver.class)
                    .hasMessage("the files of the store cannot be used: the disk is full");
            failure = new IllegalArgumentException("a mistake");
            assertThatThrownBy(() -> reader.foldPoll(ConsumerRecords.empty(), Map.of()))
                    .isInstanceOf(TopicTailer.StartOver.class)
                    .hasMessage(
                            "records cannot be folded into the store: java.lang.IllegalArgumentException: a mistake");
            failure = new TopicTailer.StartOver("for this test", null);
            assertThatThrownBy(() -> reader.foldPoll(ConsumerRecords.empty(), Map.of()))
                    .isSameAs(failure);
        }
    }

    @Test
    void saysHowFarItIs() {
        var half = new CopyReader.Progress(true, 500, 500, 3_000);
        assertThat(half.part()).isEqualTo(0.5);
        assertThat(half.secondsLeft()).isEqualTo(3);
        assertThat(half.done()).isFalse();
        assertThat(new CopyReader.Progress(true, 0, 500, 3_000).secondsLeft()).isNull();
        var nothing = new CopyReader.Progress(true, 0, 0, 1);
        assertThat(nothing.done()).isTrue();
        assertThat(nothing.part()).isEqualTo(1);
        assertThat(CopyReader.Progress.NONE.done()).isFalse();
        assertThat(CopyReader.Progress.NONE.part()).isZero();
    }
}
