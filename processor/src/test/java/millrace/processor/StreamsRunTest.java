package millrace.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import millrace.contracts.ConsumerGroups;
import millrace.runtime.KafkaSettings;
import millrace.runtime.SettingsException;
import org.apache.kafka.streams.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamsRunTest {
    @Test
    void theTopicOfTheStateIsAsSafeAsTheOthers(@TempDir Path folder) {
        var three = new KafkaSettings("localhost:1", 4, 3, "test", Map.of());
        assertThat(StreamsRun.config(Scene.settings(folder), three))
                .containsEntry("replication.factor", 3)
                .containsEntry("topic.min.insync.replicas", "2");
    }

    @Test
    void stateOfAnotherFormIsNotTakenForNone(@TempDir Path folder) throws Exception {
        ProcessorSettings settings = Scene.settings(folder);
        Files.createDirectories(settings.state()
                .resolve(ConsumerGroups.PROCESSOR)
                .resolve("0_3")
                .resolve("rocksdb/accounts"));
        assertThatThrownBy(() -> StreamsRun.start(
                        new Topology(), settings, KafkaSettings.local("localhost:1", 1, "test"), error -> {}))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("earlier build");
    }
}
