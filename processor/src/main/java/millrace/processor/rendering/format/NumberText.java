package millrace.processor.rendering.format;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/** Numbers as files write them. */
public final class NumberText {
    /** Up to here every whole double is exactly a long. */
    private static final double EXACT = 1L << 53;
    /** Decimals that are tried first: metrics rarely have more. */
    private static final int DECIMALS = 6;

    private static final long SCALE = 1_000_000;
    /** Numbers of at most 15 digits: no two of them are the same double. */
    private static final double UNIQUE = 1e15;

    private NumberText() {}

    /** The shortest decimal text that reads back the same, without exponent and without {@code .0}. The value is finite. */
    public static String of(double value) {
        double magnitude = Math.abs(value);
        if (magnitude < EXACT && value == Math.rint(value)) {
            boolean negativeZero = value == 0 && 1 / value < 0;
            return negativeZero ? "-0" : Long.toString((long) value);
        }
        double scaled = Math.rint(magnitude * SCALE);
        // Both are exact and division rounds as reading does, so this decimal is the value; and no other so short one
        // is.
        if (scaled < UNIQUE && scaled / SCALE == magnitude) {
            return decimal(value < 0, (long) scaled);
        }
        String text = Double.toString(value);
        if (text.indexOf('E') >= 0) {
            text = new BigDecimal(text).stripTrailingZeros().toPlainString();
        }
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /** @param scaled the value's millionths, which are no whole number of ones */
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
