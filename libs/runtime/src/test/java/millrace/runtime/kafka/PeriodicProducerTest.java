package millrace.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps interrupt their thread themselves. */
@Timeout(10)
class PeriodicProducerTest {
    private final MockProducer<String, byte[]> kafka =
            new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());

    @AfterEach
    void isNotInterrupted() {
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void runsTheStepAgainAfterEachPauseUntilItIsInterrupted() {
        long begun = System.nanoTime();
        try (var producer = new PeriodicProducer(kafka)) {
            producer.run(p -> {
                send(p);
                if (kafka.history().size() < 3) {
                    return Duration.ofMillis(5);
                }
                Thread.currentThread().interrupt();
                return Duration.ofHours(1);
            });
            assertThat(Thread.currentThread().isInterrupted())
                    .as("closing can wait")
                    .isFalse();
            assertThat(kafka.closed()).isFalse();
        }
        assertThat(kafka.history()).hasSize(3);
        assertThat(System.nanoTime() - begun)
                .isGreaterThanOrEqualTo(Duration.ofMillis(10).toNanos());
        assertThat(kafka.closed()).isTrue();
    }

    @Test
    void endsWhereASendIsInterrupted() {
        var producer = new PeriodicProducer(kafka);
        producer.run(p -> {
            throw new InterruptException("while sending");
        });
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void whatElseAStepThrowsGoesToTheCaller() {
        var producer = new PeriodicProducer(kafka);
        assertThatThrownBy(() -> producer.run(p -> {
                    throw new IllegalStateException("step");
                }))
                .hasMessage("step");
    }

    private static void send(Producer<String, byte[]> producer) {
        var unused = producer.send(new ProducerRecord<>(Topics.KEY_USES.name(), "key", new byte[] {1}));
    }
}
