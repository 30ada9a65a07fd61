package millrace.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Readiness is true again within 2 s: here with a clock of the test's own, since a machine may be slow. */
class LivenessTest {
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE);
    private final Liveness liveness = new Liveness(clock::get);

    @Test
    void nothingHasHappenedAtFirst() {
        assertThat(liveness.isRecent()).isFalse();
    }

    @Test
    void whatHappenedIsForgottenWithinTwoSeconds() {
        liveness.mark(liveness.now());
        pass(Duration.ofMillis(1700));
        assertThat(liveness.isRecent()).isTrue();
        pass(Duration.ofMillis(200));
        assertThat(liveness.isRecent()).isFalse();
    }

    @Test
    void anAnswerIsAsOldAsItsQuestion() {
        long asked = liveness.now();
        pass(Duration.ofSeconds(1));
        liveness.mark(asked);
        assertThat(liveness.isRecent()).isTrue();
        pass(Duration.ofSeconds(1));
        assertThat(liveness.isRecent()).isFalse();
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }
}
