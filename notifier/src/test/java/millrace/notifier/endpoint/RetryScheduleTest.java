package millrace.notifier.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import millrace.notifier.endpoint.RetrySchedule.Decision;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryScheduleTest {
    private static final Instant NOW = Instant.parse("2026-11-02T08:00:00Z");
    private static final RetrySchedule CONTRACT = new RetrySchedule(
            List.of(
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(2),
                    Duration.ofMinutes(10),
                    Duration.ofMinutes(30),
                    Duration.ofHours(2),
                    Duration.ofHours(5),
                    Duration.ofHours(10),
                    Duration.ofHours(10)),
            0.2);

    @ParameterizedTest
    @CsvSource({
        "1, 0, PT4S",
        "1, 0.5, PT5S",
        "1, 1, PT6S",
        "2, 0.5, PT30S",
        "3, 0.5, PT2M",
        "4, 0.5, PT10M",
        "5, 0.5, PT30M",
        "6, 0.5, PT2H",
        "7, 0.5, PT5H",
        "8, 0.5, PT10H",
        "9, 0, PT8H",
        "9, 0.5, PT10H",
        "9, 1, PT12H",
    })
    void pausesGrowAndJitter(int attempt, double random, Duration pause) {
        assertThat(CONTRACT.decide(new AttemptResult.NoAnswer(), attempt, NOW, random))
                .isEqualTo(new Decision.RetryAt(NOW.plus(pause)));
    }

    @ParameterizedTest
    @CsvSource({"200, 1", "201, 1", "204, 9", "299, 10", "200, 11"})
    void aSuccessIsDelivered(int status, int attempt) {
        assertThat(CONTRACT.decide(answered(status, null), attempt, NOW, 0.5)).isEqualTo(new Decision.Delivered());
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 300, 301, 302, 304, 307, 308, 400, 401, 404, 409, 411, 429, 500, 502, 503, 504, 999})
    void everythingElseIsRetriedAndGivenUpInTheEnd(int status) {
        assertThat(CONTRACT.decide(answered(status, null), 1, NOW, 0.5))
                .isEqualTo(new Decision.RetryAt(NOW.plusSeconds(5)));
        assertThat(CONTRACT.decide(answered(status, null), 10, NOW, 0.5)).isEqualTo(new Decision.GivenUp());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 10})
    void goneIsGone(int attempt) {
        assertThat(CONTRACT.decide(answered(410, NOW.plusSeconds(9)), attempt, NOW, 0.5))
                .isEqualTo(new Decision.Gone());
    }

    /**
     * A retry comes neither before {@code Retry-After} nor before the schedule, and {@code Retry-After} counts for at
     * most a day.
     */
    @ParameterizedTest
    @CsvSource({
        "429, 60,      1, PT1M",
        "503, 60,      1, PT1M",
        "429, 1,       1, PT5S",
        "429, -60,     1, PT5S",
        "429, 9999999, 1, PT24H",
        "503, 60,      9, PT10H",
        "500, 60,      1, PT5S",
        "301, 60,      1, PT5S",
    })
    void retryAfterIsObeyed(int status, long seconds, int attempt, Duration pause) {
        assertThat(CONTRACT.decide(answered(status, NOW.plusSeconds(seconds)), attempt, NOW, 0.5))
                .isEqualTo(new Decision.RetryAt(NOW.plus(pause)));
    }

    @Test
    void noPausesMeanOneAttempt() {
        assertThat(new RetrySchedule(List.of(), 0).decide(new AttemptResult.NoAnswer(), 1, NOW, 0.5))
                .isEqualTo(new Decision.GivenUp());
    }

    @Test
    void checksItself() {
        assertThatThrownBy(() -> new RetrySchedule(List.of(Duration.ofSeconds(-1)), 0.2))
                .hasMessageContaining("must not be negative");
        assertThatThrownBy(() -> new RetrySchedule(List.of(), 1.2)).hasMessageContaining("from 0 to 1, not 1.2");
    }

    private static AttemptResult answered(int status, @Nullable Instant retryAfter) {
        return new AttemptResult.Answered(status, retryAfter);
    }
}
