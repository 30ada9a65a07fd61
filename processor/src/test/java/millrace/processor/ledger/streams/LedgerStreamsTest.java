package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import millrace.runtime.settings.KafkaSettings;
import org.junit.jupiter.api.Test;

class LedgerStreamsTest {
    @Test
    void theTopicOfTheStateIsAsSafeAsTheOthers() {
        var three = new KafkaSettings("localhost:1", 4, 3, "test", Map.of());
        var settings = new StreamsSettings(Path.of("state"), 1, 0, Duration.ofMillis(100));
        assertThat(LedgerStreams.config(settings, three))
                .containsEntry("replication.factor", 3)
                .containsEntry("topic.min.insync.replicas", "2");
    }

    @Test
    void whatIsWrittenIsCompressedAndWhatIsRestoredIsCompacted() {
        var settings = new StreamsSettings(Path.of("state"), 1, 0, Duration.ofMillis(100));
        assertThat(LedgerStreams.config(settings, KafkaSettings.local("localhost:1", 4, "test")))
                .containsEntry("producer.compression.type", "snappy")
                .containsEntry("topic.segment.bytes", "16777216")
                .containsEntry("topic.delete.retention.ms", "3600000")
                .containsEntry("topic.segment.ms", "86400000");
        var other = new KafkaSettings("localhost:1", 4, 1, "test", Map.of("compression.type", "zstd"));
        assertThat(LedgerStreams.config(settings, other)).containsEntry("producer.compression.type", "zstd");
        assertThat(other.producerConfig("answers")).containsEntry("compression.type", "zstd");
    }

    @Test
    void manyPartitionsReadAheadNoMoreThanAFew() {
        assertThat(waitingCommands(6)).isEqualTo(100);
        assertThat(waitingCommands(30)).isEqualTo(20);
        assertThat(waitingCommands(256)).isEqualTo(10);
    }

    private static Object waitingCommands(int partitions) {
        var settings = new StreamsSettings(Path.of("state"), 1, 0, Duration.ofMillis(100));
        return Objects.requireNonNull(
                LedgerStreams.config(settings, KafkaSettings.local("localhost:1", partitions, "test"))
                        .get("buffered.records.per.partition"));
    }
}
