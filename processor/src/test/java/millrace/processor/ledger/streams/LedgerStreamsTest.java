package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
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
}
