package millrace.client.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {
    @ParameterizedTest
    @CsvSource({
        "0,0 B",
        "999,999 B",
        "1000,1.0 kB",
        "135000,135 kB",
        "1500000,1.5 MB",
        "2500000000,2.5 GB",
        "9000000000000,9000 GB"
    })
    void sizes(long bytes, String words) {
        assertThat(Words.size(bytes)).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S,0 s",
        "PT0.012S,12 ms",
        "PT1.25S,1.3 s",
        "PT42S,42 s",
        "PT2M,2 min",
        "PT2M5S,2 min 5 s",
        "PT3H20M1S,3 h 20 min"
    })
    void durations(Duration duration, String words) {
        assertThat(Words.duration(duration)).isEqualTo(words);
    }

    @Test
    void isNotDoneBeforeItIs() {
        assertThat(Words.percent(0.9999)).isEqualTo("99 %");
        assertThat(Words.percent(1)).isEqualTo("100 %");
    }

    @Test
    void coloursAreForTerminalsThatWantThem() {
        Map<String, String> wide = Map.of("COLUMNS", "132");
        assertThat(Terminal.of(wide, true, true)).isEqualTo(new Terminal(true, true, 132, true));
        assertThat(Terminal.of(Map.of("COLUMNS", "132", "NO_COLOR", "1"), true, true)
                        .colours())
                .isFalse();
        assertThat(Terminal.of(Map.of("COLUMNS", "132", "TERM", "dumb"), true, true)
                        .colours())
                .isFalse();
        assertThat(Terminal.of(wide, false, true)).isEqualTo(new Terminal(false, true, 132, false));
        assertThat(Terminal.of(Map.of(), false, false)).isEqualTo(Terminal.NONE);
    }
}
