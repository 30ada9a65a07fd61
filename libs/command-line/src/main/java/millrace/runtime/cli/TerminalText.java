package millrace.runtime.cli;

import java.util.Locale;

/** Text that others have written, for a terminal. */
public final class TerminalText {
    private TerminalText() {}

    /** One line without characters that a terminal would act on: they are written as JSON escapes them. */
    public static String escaped(String text) {
        if (text.chars().noneMatch(TerminalText::isControl)) {
            return text;
        }
        var escaped = new StringBuilder();
        text.chars()
                .forEach(c -> escaped.append(
                        isControl(c) ? String.format(Locale.ROOT, "\\u%04x", c) : String.valueOf((char) c)));
        return escaped.toString();
    }

    /** Also the marks that turn the direction of text around. */
    private static boolean isControl(int c) {
        return Character.isISOControl(c) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    }
}
