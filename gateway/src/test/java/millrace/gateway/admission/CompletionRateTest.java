package millrace.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletionRateTest {
    private static final long SECOND = 1_000_000_000;

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "5, 1", "6, 2", "50, 10", "100000, 60"})
    void assumesLittleWhereNothingHasEnded(long open, long seconds) {
        assertThat(new CompletionRate().untilCompleted(open)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void followsHowFastReportsEnd() {
        var pace = new CompletionRate();
        pace.sample(0, 0);
        pace.sample(10 * SECOND, 1000);
        assertThat(pace.untilCompleted(1000)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void forgetsWhatIsLongAgo() {
        var pace = new CompletionRate();
        pace.sample(0, 0);
        pace.sample(SECOND, 100_000);
        pace.sample(100 * SECOND, 100_000);
        pace.sample(101 * SECOND, 100_000);
        assertThat(pace.untilCompleted(50)).isEqualTo(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @CsvSource({"10, 0.5, 10", "10, 0.9, 2", "10, 0, 1", "1, 1, 1", "1000, 0.1, 60"})
    void followsTheReportsOwnProgress(long running, double progress, long seconds) {
        assertThat(CompletionRate.untilCompleted(Duration.ofSeconds(running), progress))
                .isEqualTo(Duration.ofSeconds(seconds));
    }
}
