package millrace.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LagCheckTest {
    private final AtomicLong clock = new AtomicLong(-5);
    private final LagCheck lagCheck = new LagCheck(clock::get);

    @Test
    void isNotNearBeforeItHasRead() {
        assertThat(lagCheck.isSmall()).isFalse();
    }

    @Test
    void whoReadsWhatComesIsNear() {
        for (int i = 0; i < 10; i++) {
            lagCheck.record(i % 2 == 0 ? 0 : LagCheck.MAX_RECORDS);
            pass(500);
            assertThat(lagCheck.isSmall()).isTrue();
        }
    }

    @Test
    void whoIsTooSlowIsNot() {
        lagCheck.record(0);
        for (int i = 0; i < 4; i++) {
            pass(500);
            lagCheck.record(LagCheck.MAX_RECORDS + 1);
        }
        assertThat(lagCheck.isSmall()).isFalse();
        lagCheck.record(LagCheck.MAX_RECORDS);
        assertThat(lagCheck.isSmall()).isTrue();
    }

    @Test
    void whoHasStoppedIsNot() {
        lagCheck.record(0);
        pass(1700);
        assertThat(lagCheck.isSmall()).isTrue();
        pass(100);
        assertThat(lagCheck.isSmall()).isFalse();
    }

    private void pass(long millis) {
        clock.addAndGet(Duration.ofMillis(millis).toNanos());
    }
}
