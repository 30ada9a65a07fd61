package millrace.processor.rendering.formats;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberTextTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, -0",
        "1, 1",
        "-1, -1",
        "0.1, 0.1",
        "0.30000000000000004, 0.30000000000000004",
        "12345678.9, 12345678.9",
        "1.0E7, 10000000",
        "9007199254740991, 9007199254740991",
        "9007199254740992, 9007199254740992",
        "1.0E16, 10000000000000000",
        "1.0E23, 100000000000000000000000",
        "1.0E-5, 0.00001",
        "-2.5E-7, -0.00000025",
        "0.000001, 0.000001",
        "0.0000001, 0.0000001",
        "-0.05, -0.05",
        "123.456, 123.456",
        "123.45678901, 123.45678901",
        "999999999.999999, 999999999.999999",
        "-999999999.999999, -999999999.999999",
        "1000000000.000001, 1000000000.000001",
    })
    void isWrittenPlainly(double value, String text) {
        assertThat(NumberText.of(value)).isEqualTo(text);
    }

    @Property
    void readsBackTheSameWithoutExponentOrEmptyFraction(@ForAll long bits) {
        double value = Double.longBitsToDouble(bits);
        if (Double.isFinite(value)) {
            String text = NumberText.of(value);
            assertThat(Double.doubleToLongBits(Double.parseDouble(text))).isEqualTo(Double.doubleToLongBits(value));
            assertThat(text).matches("-?[0-9]+(\\.[0-9]*[1-9])?");
        }
    }

    /** Decimals as metrics have them, and the doubles next to them. */
    @Property(tries = 20_000)
    void hasJavasOwnDigits(
            @ForAll @LongRange(min = -2_000_000_000_000_000L, max = 2_000_000_000_000_000L) long digits,
            @ForAll @IntRange(max = 9) int decimals,
            @ForAll @IntRange(min = -1, max = 1) int step) {
        double decimal = BigDecimal.valueOf(digits, decimals).doubleValue();
        double value = step == 0 ? decimal : Math.nextAfter(decimal, step * Double.MAX_VALUE);
        if (value != 0) {
            String plain =
                    new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
            assertThat(NumberText.of(value)).isEqualTo(plain);
        }
    }

    @Property
    void isNoLongerThanJavasOwnDigits(@ForAll double value) {
        assertThat(NumberText.of(value)
                        .replaceAll("[-.]", "")
                        .replaceAll("^0+|0+$", "")
                        .length())
                .isLessThanOrEqualTo(17);
    }
}
