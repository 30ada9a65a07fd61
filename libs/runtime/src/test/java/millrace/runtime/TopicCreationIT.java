package millrace.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import millrace.contracts.Topics;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.Test;

class TopicCreationIT {
    @Test
    void createsWhatIsMissingAndReportsWhatDiffers() {
        try (TestKafka kafka = TestKafka.fresh()) {
            assertThat(TopicCreation.ensure(
                            KafkaSettings.local(kafka.bootstrapServers(), 2, "a"), List.of(Topics.ACCOUNT_COMMANDS)))
                    .isEmpty();
            assertThat(TopicCreation.ensure(KafkaSettings.local(kafka.bootstrapServers(), 2, "a"), Topics.ALL))
                    .isEmpty();
            assertThat(TopicCreation.ensure(
                            KafkaSettings.local(kafka.bootstrapServers(), 3, "a"), List.of(Topics.ACCOUNT_COMMANDS)))
                    .containsExactly("topic internal.account-commands has 2 partitions, declared are 3");
        }
    }

    @Test
    void saysInOneLineThatKafkaIsAway() {
        var away = new KafkaSettings(
                "127.0.0.1:1", 1, 1, "a", Map.of("default.api.timeout.ms", "500", "request.timeout.ms", "300"));
        assertThatThrownBy(() -> TopicCreation.ensure(away, Topics.ALL))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("Kafka at 127.0.0.1:1 cannot be used: ");
    }
}
