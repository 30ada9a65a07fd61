package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import millrace.webhook.Exchange;
import millrace.webhook.Exchange.ExchangeTimings;
import millrace.webhook.ExchangePhase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResponseExcerptTest {
    private static final String SIGNATURE = "aB-_9".repeat(8);
    private static final String SENT =
            "{\"payload\":{\"download_url\":\"http://a/v3/batch/download/x?file=a&expires=1&signature=" + SIGNATURE
                    + "\"}}";

    @Test
    void isTheBeginningOfAnAnswer() {
        assertThat(excerpt("ok")).isEqualTo("ok");
        assertThat(excerpt("  {\r\n\t\"a\": 1}\n")).isEqualTo("{\n\t\"a\": 1}");
        assertThat(excerpt(null)).isNull();
        assertThat(excerpt(" \n")).isNull();
        assertThat(ResponseExcerpt.of(
                        new Exchange.TimedOut(ExchangePhase.BODY, Duration.ofSeconds(5), ExchangeTimings.NONE), SENT))
                .isNull();
    }

    @Test
    void hasAtMost1KiBAndNoHalfCharacter() {
        assertThat(excerpt("x".repeat(20_000))).hasSize(1024);
        String emoji = Objects.requireNonNull(excerpt("x" + "\uD83D\uDE00".repeat(5000)));
        assertThat(emoji.getBytes(StandardCharsets.UTF_8)).hasSize(1021);
        assertThat(emoji).endsWith("\uD83D\uDE00");
    }

    /** Neither terminals nor pages are to do what a receiver writes. */
    @Test
    void hasNoControlCharacters() {
        assertThat(excerpt("a\u001b[31m\u0000\u202Eb\uD800c\r")).isEqualTo("a\uFFFD[31m\uFFFD\uFFFDb\uFFFDc\uFFFD");
    }

    /** However the receiver repeats it. */
    @Test
    void doesNotOpenTheReport() {
        assertThat(excerpt("{\"got\":" + SENT + "}"))
                .contains("&signature=removed")
                .doesNotContain(SIGNATURE);
        assertThat(excerpt("signature\\u003d" + SIGNATURE)).isEqualTo("signature\\u003dremoved");
        assertThat(excerpt("x".repeat(1000) + SIGNATURE)).isEqualTo("x".repeat(1000) + "removed");
    }

    private static @Nullable String excerpt(@Nullable String text) {
        return ResponseExcerpt.of(new Exchange.Answered(500, null, text, ExchangeTimings.NONE), SENT);
    }
}
