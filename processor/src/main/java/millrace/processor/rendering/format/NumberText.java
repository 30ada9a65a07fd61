package millrace.processor.rendering.format;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/** Formats the numbers of report files. */
public final class NumberText {
    /** Up to this limit every whole double is exactly a long. */
    private static final double EXACT = 1L << 53;
    /** Decimals that are tried first, since metrics rarely have more. */
    private static final int DECIMALS = 6;

    private static final long SCALE = 1_000_000;
    /** Below this limit no two numbers of at most 15 digits are the same double. */
    private static final double UNIQUE = 1e15;

    private NumberText() {}

    /**
     * The shortest decimal text that parses to the same double, without exponent and without {@code .0}. The value must
     * be finite.
     */
    public static String of(double value) {
        double magnitude = Math.abs(value);
        if (magnitude < EXACT && value == Math.rint(value)) {
            boolean negativeZero = value == 0 && 1 / value < 0;
            return negativeZero ? "-0" : Long.toString((long) value);
        }
        double scaled = Math.rint(magnitude * SCALE);
        // Both operands are exact and division rounds as parsing does, so this decimal is the value, and no other one
        // of this length is.
        if (scaled < UNIQUE && scaled / SCALE == magnitude) {
            return decimal(value < 0, (long) scaled);
        }
        String text = Double.toString(value);
        if (text.indexOf('E') >= 0) {
            text = new BigDecimal(text).stripTrailingZeros().toPlainString();
        }
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /** @param scaled the value in millionths, not a multiple of a million */
    private static String decimal(boolean negative, long scaled) {
        var text = new byte[20];
        int at = text.length;
        int decimals = DECIMALS;
        long rest = scaled;
        for (; rest % 10 == 0; rest /= 10) {
            decimals--;
        }
        for (; rest > 0 || decimals >= 0; rest /= 10) {
            if (decimals == 0) {
                text[--at] = '.';
            }
            decimals--;
            text[--at] = (byte) ('0' + rest % 10);
        }
        if (negative) {
            text[--at] = '-';
        }
        return new String(text, at, text.length - at, StandardCharsets.ISO_8859_1);
    }
}
