package millrace.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Readiness is true again within 2 s: here with a clock of the test's own, since a machine may be slow. */
class LivenessTest {
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE);
    private final Liveness lately = new Liveness(clock::get);

    @Test
    void nothingHasHappenedAtFirst() {
        assertThat(lately.did()).isFalse();
    }

    @Test
    void whatHappenedIsForgottenWithinTwoSeconds() {
        lately.happened(lately.now());
        pass(Duration.ofMillis(1700));
        assertThat(lately.did()).isTrue();
        pass(Duration.ofMillis(200));
        assertThat(lately.did()).isFalse();
    }

    @Test
    void anAnswerIsAsOldAsItsQuestion() {
        long asked = lately.now();
        pass(Duration.ofSeconds(1));
        lately.happened(asked);
        assertThat(lately.did()).isTrue();
        pass(Duration.ofSeconds(1));
        assertThat(lately.did()).isFalse();
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }
}
