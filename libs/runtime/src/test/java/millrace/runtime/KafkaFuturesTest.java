package millrace.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class KafkaFuturesTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final KafkaFutureImpl<String> future = new KafkaFutureImpl<>();

    @Test
    void returnsTheAnswer() {
        future.complete("answer");
        assertThat(KafkaFutures.get(future)).isEqualTo("answer");
        assertThat(KafkaFutures.get(future, LONG)).isEqualTo("answer");
    }

    @Test
    void failsAsKafkaDid() {
        var failure = new UnknownTopicOrPartitionException("no such topic");
        future.completeExceptionally(failure);
        assertThatThrownBy(() -> KafkaFutures.get(future)).isSameAs(failure);
        assertThatThrownBy(() -> KafkaFutures.get(future, LONG)).isSameAs(failure);
    }

    @Test
    void wrapsOtherFailures() {
        future.completeExceptionally(new IllegalStateException("unexpected"));
        assertThatThrownBy(() -> KafkaFutures.get(future, LONG))
                .isExactlyInstanceOf(KafkaException.class)
                .hasRootCauseMessage("unexpected");
    }

    @Test
    void doesNotWaitForLongerThanItsTimeout() {
        assertThatThrownBy(() -> KafkaFutures.get(future, Duration.ZERO))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("Kafka did not answer within 0 s");
    }

    @Test
    void leavesTheThreadInterrupted() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> KafkaFutures.get(future)).isInstanceOf(InterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> KafkaFutures.get(future, LONG)).isInstanceOf(InterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
