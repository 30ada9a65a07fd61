package millrace.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();

    private Instant wall = NOON;
    private long nanos = 17;
    private final SteadyClock clock = new SteadyClock(() -> wall, () -> nanos);
    private final long begin = clock.millis();

    @Test
    void countsWhatTheMonotonicClockCountsWhileTheWallClockIsSet() {
        assertThat(begin).isEqualTo(NOON.toEpochMilli());
        pass(Duration.ofSeconds(90));
        wall = wall.minus(Duration.ofHours(1));
        assertThat(clock.millis()).isEqualTo(begin + 90_000);
        wall = wall.plus(Duration.ofDays(365));
        assertThat(clock.millis()).isEqualTo(begin + 90_000);
    }

    @Test
    void translatesByTheWallClockAsItIsSetNow() {
        assertThat(clock.wall(begin + MINUTE)).isEqualTo(NOON.plusSeconds(60));
        wall = NOON.minus(Duration.ofHours(1));
        assertThat(clock.wall(begin + MINUTE)).isEqualTo(NOON.minusSeconds(3540));
        assertThat(clock.of(NOON.minusSeconds(3540))).isEqualTo(begin + MINUTE);
    }

    /** Else one point would be told twice, a millisecond apart. */
    @Test
    void doesNotFollowNoise() {
        wall = NOON.plusMillis(3);
        assertThat(clock.wall(begin)).isEqualTo(NOON);
    }

    @Test
    void aStoredPointIsAsFarAheadAsTheWallClockSays() {
        Instant written = NOON.minusSeconds(40);
        long due = written.plusSeconds(60).toEpochMilli();
        assertThat(due + clock.fromStored(written.toEpochMilli())).isEqualTo(begin + 20_000);
    }

    @Test
    void aStoredPointIsAtMostAsFarAheadAsItsWriterMeant() {
        Instant written = NOON.plus(Duration.ofHours(1)); // by a clock that is ahead
        long due = written.plusSeconds(60).toEpochMilli();
        assertThat(due + clock.fromStored(written.toEpochMilli())).isEqualTo(begin + MINUTE);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
        wall = wall.plus(time);
    }
}
