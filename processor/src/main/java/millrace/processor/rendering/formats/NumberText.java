package millrace.processor.rendering.formats;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/** Formats the numbers of report files. */
final class NumberText {
    /** Bytes that {@link #writeShort} may need: a sign, 16 digits, a point. */
    static final int SHORT_BYTES = 18;

    /** Up to this limit every whole double is exactly a long. */
    private static final double EXACT = 1L << 53;
    /** Decimals that are tried first, since metrics rarely have more. */
    private static final int DECIMALS = 6;

    private static final int SCALE = 1_000_000;
    private static final int BILLION = 1_000_000_000;
    /** Below this limit no two numbers of at most 15 digits are the same double. */
    private static final double UNIQUE = 1e15;

    private NumberText() {}

    /**
     * The shortest decimal text that parses to the same double, without exponent and without {@code .0}. The value must
     * be finite.
     */
    public static String of(double value) {
        byte[] digits = new byte[SHORT_BYTES];
        int end = writeShort(value, digits, 0);
        if (end >= 0) {
            return new String(digits, 0, end, StandardCharsets.ISO_8859_1);
        }
        String text = Double.toString(value);
        if (text.indexOf('E') >= 0) {
            text = new BigDecimal(text).stripTrailingZeros().toPlainString();
        }
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /**
     * Writes the text of a number that is whole or has at most 15 digits, six of them decimals.
     *
     * @param into with {@link #SHORT_BYTES} bytes from {@code at}
     * @return the end of what is written; -1 where it is another number
     */
    static int writeShort(double value, byte[] into, int at) {
        double magnitude = Math.abs(value);
        int begin = at;
        if (value < 0 || (value == 0 && 1 / value < 0)) {
            into[begin++] = '-';
        }
        if (magnitude < EXACT && magnitude == Math.rint(magnitude)) {
            return writeDigits((long) magnitude, into, begin);
        }
        double scaled = Math.rint(magnitude * SCALE);
        // Both operands are exact and division rounds as parsing does, so this decimal is the value, and no other one
        // of this length is.
        if (scaled < UNIQUE && scaled / SCALE == magnitude) {
            long millionths = (long) scaled;
            int point = writeDigits(millionths / SCALE, into, begin);
            into[point] = '.';
            return writeDecimals((int) (millionths % SCALE), into, point + 1);
        }
        return -1;
    }

    /** @param number not negative */
    private static int writeDigits(long number, byte[] into, int at) {
        if (number >= BILLION) {
            int end = writeDigits(number / BILLION, into, at);
            return writePadded((int) (number % BILLION), 9, into, end);
        }
        int digits = 1;
        for (int more = 10; digits < 9 && number >= more; more *= 10) {
            digits++;
        }
        return writePadded((int) number, digits, into, at);
    }

    /** @param millionths not 0 */
    private static int writeDecimals(int millionths, byte[] into, int at) {
        int end = writePadded(millionths, DECIMALS, into, at);
        while (into[end - 1] == '0') {
            end--;
        }
        return end;
    }

    /** Writes so many digits of a number below a billion, with zeros before it. */
    private static int writePadded(int number, int digits, byte[] into, int at) {
        int rest = number;
        for (int i = at + digits - 1; i >= at; i--) {
            into[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return at + digits;
    }
}
