package millrace.webhook.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {
    private static final Instant NOW = Instant.parse("2026-11-02T08:00:00Z");

    @ParameterizedTest
    @CsvSource(nullValues = "-", quoteCharacter = '`', textBlock = """
            120,                             2026-11-02T08:02:00Z
            ` 0 `,                           2026-11-02T08:00:00Z
            `Mon, 02 Nov 2026 09:00:00 GMT`, 2026-11-02T09:00:00Z
            `Mon, 02 Nov 2020 09:00:00 GMT`, 2020-11-02T09:00:00Z
            -1,                              -
            1.5,                             -
            soon,                            -
            99999999999,                     -
            `Mon, 02 Nov 2026 09:00:00 GMT, or when the moon is full and the wind is from the west`, -
            ``,                              -
            -,                               -
            """)
    void secondsOrADate(@Nullable String header, @Nullable Instant expected) {
        assertThat(RetryAfter.parse(header, NOW)).isEqualTo(expected);
    }
}
