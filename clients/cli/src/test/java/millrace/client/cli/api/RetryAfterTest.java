package millrace.client.cli.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {
    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            30                            | PT30S
            0                             | PT0S
            Fri, 20 Nov 2026 10:01:30 GMT | PT1M30S
            Fri, 20 Nov 2026 09:00:00 GMT | PT0S
            999999999                     | P1D
            """)
    void isSecondsOrADate(String header, Duration wait) {
        assertThat(RetryAfter.of(header, NOW)).isEqualTo(wait);
    }

    @Test
    void isNothingWhereItIsNeither() {
        assertThat(RetryAfter.of(null, NOW)).isNull();
        assertThat(RetryAfter.of("soon", NOW)).isNull();
        assertThat(RetryAfter.of("-1", NOW)).isNull();
    }
}
