package millrace.catalog.text;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;

/** Texts of clients that are compared: what is blank in them, what cannot be seen, and their normal form. */
public final class PlainText {
    private static final int REPLACEMENT = 0xFFFD;
    private static final int NON_JOINER = 0x200C;
    private static final int JOINER = 0x200D;
    /** From the first sign of Arabic and Syriac that stands before a number and can be seen, to the last. */
    private static final int FIRST_NUMBER_SIGN = 0x600;

    private static final int LAST_NUMBER_SIGN = 0x8E2;
    private static final int ARABIC_LETTER_MARK = 0x61C;
    private static final int BLACK_FLAG = 0x1F3F4;
    private static final int FIRST_TAG = 0xE0020;
    private static final int LAST_TAG = 0xE007F;

    private PlainText() {}

    /** Unicode's normal form C. */
    public static String normal(String text) {
        return isAscii(text) ? text : Normalizer.normalize(text, Normalizer.Form.NFC);
    }

    public static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) { // of millions, where a stream takes ten times as long
            if (text.charAt(i) > 127) {
                return false;
            }
        }
        return true;
    }

    /** Without blanks around. */
    public static String stripped(String text) {
        int from = 0;
        int end = text.length();
        while (from < end && isBlank(text.charAt(from))) {
            from++;
        }
        while (end > from && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(from, end);
    }

    /** Unicode's White_Space. */
    private static boolean isBlank(int c) {
        return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || isOtherSpace(c);
    }

    /** Spaces outside ASCII. */
    public static boolean isOtherSpace(int c) {
        return c > 127 && Character.isSpaceChar(c);
    }

    /** What is wrong with a text in its normal form, for example {@code has a control character}; empty if nothing is. */
    public static Optional<String> fault(String text) {
        boolean halves = false;
        for (int at = 0; at < text.length(); ) {
            int c = text.codePointAt(at);
            if (Character.isISOControl(c)) {
                return Optional.of("has a control character");
            }
            if (c == REPLACEMENT) {
                return Optional.of("has " + named(c) + ", which stands where bytes were not UTF-8");
            }
            if (c > 127 && isInvisible(c, at == 0 ? 0 : text.codePointBefore(at))) {
                return Optional.of("has the invisible character " + named(c));
            }
            halves |= Character.isBmpCodePoint(c) && Character.isSurrogate((char) c);
            at += Character.charCount(c);
        }
        return halves ? Optional.of("has half of a surrogate pair") : Optional.empty();
    }

    /**
     * Whether a character cannot be seen, so that its text looks like another one. Persian, Hindi and emoji need
     * joiners between their letters, and the flags of England, Scotland and Wales are spelled in tags.
     */
    private static boolean isInvisible(int c, int before) {
        boolean numberSign = c >= FIRST_NUMBER_SIGN && c <= LAST_NUMBER_SIGN && c != ARABIC_LETTER_MARK;
        if (Character.getType(c) != Character.FORMAT || numberSign) {
            return false;
        }
        if (c == NON_JOINER || c == JOINER) {
            return before < 128 || Character.isSpaceChar(before) || Character.getType(before) == Character.FORMAT;
        }
        boolean tag = c >= FIRST_TAG && c <= LAST_TAG;
        return !(tag && (before == BLACK_FLAG || (before >= FIRST_TAG && before <= LAST_TAG)));
    }

    /** {@code U+200B (ZERO WIDTH SPACE)}. */
    private static String named(int c) {
        return String.format(Locale.ROOT, "U+%04X (%s)", c, Character.getName(c));
    }
}
