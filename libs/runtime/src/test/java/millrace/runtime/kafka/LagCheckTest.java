package millrace.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LagCheckTest {
    private final AtomicLong clock = new AtomicLong(-5);
    private final LagCheck nearness = new LagCheck(clock::get);

    @Test
    void isNotNearBeforeItHasRead() {
        assertThat(nearness.near()).isFalse();
    }

    @Test
    void whoReadsWhatComesIsNear() {
        for (int i = 0; i < 10; i++) {
            nearness.left(i % 2 == 0 ? 0 : LagCheck.NEAR);
            pass(500);
            assertThat(nearness.near()).isTrue();
        }
    }

    @Test
    void whoIsTooSlowIsNot() {
        nearness.left(0);
        for (int i = 0; i < 4; i++) {
            pass(500);
            nearness.left(LagCheck.NEAR + 1);
        }
        assertThat(nearness.near()).isFalse();
        nearness.left(LagCheck.NEAR);
        assertThat(nearness.near()).isTrue();
    }

    @Test
    void whoHasStoppedIsNot() {
        nearness.left(0);
        pass(1700);
        assertThat(nearness.near()).isTrue();
        pass(100);
        assertThat(nearness.near()).isFalse();
    }

    private void pass(long millis) {
        clock.addAndGet(Duration.ofMillis(millis).toNanos());
    }
}
