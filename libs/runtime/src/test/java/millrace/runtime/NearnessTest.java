package millrace.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NearnessTest {
    private final AtomicLong clock = new AtomicLong(-5);
    private final Nearness nearness = new Nearness(clock::get);

    @Test
    void isNotNearBeforeItHasRead() {
        assertThat(nearness.near()).isFalse();
    }

    @Test
    void whoReadsWhatComesIsNear() {
        for (int i = 0; i < 10; i++) {
            nearness.left(i % 2 == 0 ? 0 : Nearness.NEAR);
            pass(500);
            assertThat(nearness.near()).isTrue();
        }
    }

    @Test
    void whoIsTooSlowIsNot() {
        nearness.left(0);
        for (int i = 0; i < 4; i++) {
            pass(500);
            nearness.left(Nearness.NEAR + 1);
        }
        assertThat(nearness.near()).isFalse();
        nearness.left(Nearness.NEAR);
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
