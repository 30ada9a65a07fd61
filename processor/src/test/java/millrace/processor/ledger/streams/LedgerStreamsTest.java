package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import millrace.processor.ledger.LedgerTestDriver;
import millrace.runtime.settings.KafkaSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerStreamsTest {
    @Test
    void theTopicOfTheStateIsAsSafeAsTheOthers(@TempDir Path folder) {
        var three = new KafkaSettings("localhost:1", 4, 3, "test", Map.of());
        assertThat(LedgerStreams.config(LedgerTestDriver.settings(folder), three))
                .containsEntry("replication.factor", 3)
                .containsEntry("topic.min.insync.replicas", "2");
    }
}
