package millrace.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong now = new AtomicLong(42);

    private RateLimit limit(int perSecond) {
        return new RateLimit(now::get, perSecond);
    }

    @Test
    void letsASecondsWorthThroughAtOnceAndThenMakesWait() {
        RateLimit limit = limit(10);
        for (int i = 0; i < 10; i++) {
            assertThat(limit.take("a")).isEmpty();
        }
        assertThat(limit.take("a")).contains(Duration.ofMillis(100));
        assertThat(limit.take("b")).isEmpty();
        now.addAndGet(SECOND / 20);
        assertThat(limit.take("a")).contains(Duration.ofMillis(50));
        now.addAndGet(SECOND / 20);
        assertThat(limit.take("a")).isEmpty();
        assertThat(limit.take("a")).isPresent();
    }

    @Test
    void doesNotSaveUp() {
        RateLimit limit = limit(2);
        limit.take("a");
        now.addAndGet(3600 * SECOND);
        assertThat(limit.take("a")).isEmpty();
        assertThat(limit.take("a")).isEmpty();
        assertThat(limit.take("a")).isPresent();
    }

    /** Who took more than there was waits until it has flowed in again. */
    @Test
    void whatIsChargedIsMissingTheNextTime() {
        RateLimit limit = limit(1000);
        assertThat(limit.take("a")).isEmpty();
        limit.charge("a", 2_499);
        assertThat(limit.take("a")).contains(Duration.ofMillis(1_501));
        now.addAndGet(1_501 * SECOND / 1_000);
        assertThat(limit.take("a")).isEmpty();
        limit.charge("new", 1_000);
        assertThat(limit.take("new")).contains(Duration.ofMillis(1));
    }

    @Property
    void neverLetsMoreThroughThanFillAndTime(
            @ForAll @IntRange(min = 1, max = 50) int perSecond,
            @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 300) Integer> pausesInMillis) {
        var clock = new AtomicLong();
        var rate = new RateLimit(clock::get, perSecond);
        int taken = 0;
        for (int pause : pausesInMillis) {
            clock.addAndGet(pause * (SECOND / 1000));
            taken += rate.take("a").isEmpty() ? 1 : 0;
        }
        assertThat((double) taken).isLessThanOrEqualTo(perSecond + (double) clock.get() / SECOND * perSecond + 1e-6);
    }
}
