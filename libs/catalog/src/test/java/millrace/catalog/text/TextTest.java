package millrace.catalog.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextTest {

    @Property
    void theOrderIsThatOfUtf8Bytes(@ForAll String a, @ForAll String b) {
        if (wellFormed(a) && wellFormed(b)) {
            assertThat(Integer.signum(Text.UTF8.compare(a, b)))
                    .isEqualTo(Integer.signum(Arrays.compareUnsigned(
                            a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8))));
        }
    }

    @Test
    void surrogatesSortAfterTheBasicPlane() {
        assertThat(Text.UTF8.compare("\uffee", "👟")).isNegative();
        assertThat(Text.UTF8.compare("👟", "👟a")).isNegative();
    }

    @Property
    void aQuotedValueIsShortAndPrintable(@ForAll String value) {
        String quoted = Text.quoted(value.repeat(3));
        assertThat(quoted.codePoints().noneMatch(Character::isISOControl)).isTrue();
        assertThat(quoted).startsWith("\"").endsWith("\"").hasSizeLessThan(80 * 10);
        assertThat(wellFormed(quoted)).isTrue();
    }

    @Test
    void nearestIsWhatNeedsFewestEdits() {
        List<String> known = List.of("domains", "metrics", "limit");
        assertThat(NearestName.of("domain", known)).contains("domains");
        assertThat(NearestName.of("METRICS", known)).contains("metrics");
        assertThat(NearestName.of("nonsense", known)).isEmpty();
        assertThat(NearestName.of("d".repeat(10_000), known)).isEmpty();
    }

    private static boolean wellFormed(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    @ParameterizedTest
    @ValueSource(
            longs = {0, 12, 999, 1_000, 99_999, 123_456, 1_000_000, -1, -999, -1_000, Long.MAX_VALUE, Long.MIN_VALUE})
    void separatesThousands(long n) {
        assertThat(Text.number(n)).isEqualTo(String.format(Locale.ROOT, "%,d", n));
    }
}
