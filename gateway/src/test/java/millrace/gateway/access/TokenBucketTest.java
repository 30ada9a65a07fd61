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
    private final RateLimit limit = new RateLimit(now::get);

    @Test
    void letsASecondsWorthThroughAtOnceAndThenMakesWait() {
        for (int i = 0; i < 10; i++) {
            assertThat(limit.take("a", RequestRate.SUBMISSIONS, 10)).isEmpty();
        }
        assertThat(limit.take("a", RequestRate.SUBMISSIONS, 10)).contains(Duration.ofMillis(100));
        assertThat(limit.take("b", RequestRate.SUBMISSIONS, 10)).isEmpty();
        now.addAndGet(SECOND / 20);
        assertThat(limit.take("a", RequestRate.SUBMISSIONS, 10)).contains(Duration.ofMillis(50));
        now.addAndGet(SECOND / 20);
        assertThat(limit.take("a", RequestRate.SUBMISSIONS, 10)).isEmpty();
        assertThat(limit.take("a", RequestRate.SUBMISSIONS, 10)).isPresent();
    }

    @Test
    void doesNotSaveUp() {
        limit.take("a", RequestRate.SUBMISSIONS, 2);
        now.addAndGet(3600 * SECOND);
        assertThat(limit.take("a", RequestRate.SUBMISSIONS, 2)).isEmpty();
        assertThat(limit.take("a", RequestRate.SUBMISSIONS, 2)).isEmpty();
        assertThat(limit.take("a", RequestRate.SUBMISSIONS, 2)).isPresent();
    }

    /** Who took more than there was waits until it has flowed in again. */
    @Test
    void whatIsChargedIsMissingTheNextTime() {
        assertThat(limit.take("a", RequestRate.SUBMISSIONS, 1000)).isEmpty();
        limit.charge("a", RequestRate.SUBMISSIONS, 1000, 2_499);
        assertThat(limit.take("a", RequestRate.SUBMISSIONS, 1000)).contains(Duration.ofMillis(1_501));
        now.addAndGet(1_501 * SECOND / 1_000);
        assertThat(limit.take("a", RequestRate.SUBMISSIONS, 1000)).isEmpty();
        limit.charge("new", RequestRate.SUBMISSIONS, 1000, 1_000);
        assertThat(limit.take("new", RequestRate.SUBMISSIONS, 1000)).contains(Duration.ofMillis(1));
    }

    @Test
    void readingTakesNothingFromSubmitting() {
        for (int i = 0; i < 100; i++) {
            limit.take("a", RequestRate.READS, 50);
        }
        assertThat(limit.take("a", RequestRate.READS, 50)).isPresent();
        assertThat(limit.take("a", RequestRate.SUBMISSIONS, 1)).isEmpty();
        assertThat(limit.take("a", RequestRate.SUBMISSIONS, 1)).isPresent();
        assertThat(limit.take("b", RequestRate.READS, 50)).isEmpty();
    }

    @Property
    void neverLetsMoreThroughThanFillAndTime(
            @ForAll @IntRange(min = 1, max = 50) int perSecond,
            @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 300) Integer> pausesInMillis) {
        var clock = new AtomicLong();
        var rate = new RateLimit(clock::get);
        int taken = 0;
        for (int pause : pausesInMillis) {
            clock.addAndGet(pause * (SECOND / 1000));
            taken += rate.take("a", RequestRate.READS, perSecond).isEmpty() ? 1 : 0;
        }
        assertThat((double) taken).isLessThanOrEqualTo(perSecond + (double) clock.get() / SECOND * perSecond + 1e-6);
    }
}
