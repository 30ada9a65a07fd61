package millrace.processor.rendering;

import java.math.BigDecimal;

/** Numbers as files write them. */
final class NumberText {
    /** Up to here every whole double is exactly a long. */
    private static final double EXACT = 1L << 53;

    private NumberText() {}

    /** The shortest decimal text that reads back the same, without exponent and without {@code .0}. The value is finite. */
    static String of(double value) {
        if (Math.abs(value) < EXACT && value == Math.rint(value)) {
            boolean negativeZero = value == 0 && 1 / value < 0;
            return negativeZero ? "-0" : Long.toString((long) value);
        }
        String text = Double.toString(value);
        if (text.indexOf('E') >= 0) {
            text = new BigDecimal(text).stripTrailingZeros().toPlainString();
        }
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
