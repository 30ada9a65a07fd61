package millrace.gateway.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import millrace.runtime.settings.KafkaSettings;
import org.junit.jupiter.api.Test;

class CommandProducerTest {
    /** CommandProducerIT shows on a broker what would be lost otherwise, and AnswerProducerIT for the answers of workers. */
    @Test
    void sendsOneRequestAfterTheOtherAndWaitsForAllReplicas() {
        assertThat(Gateway.producer(Duration.ofSeconds(3), KafkaSettings.local("127.0.0.1:9", 1, "a")))
                .containsEntry("max.in.flight.requests.per.connection", 1)
                .containsEntry("enable.idempotence", true)
                .containsEntry("acks", "all");
    }
}
