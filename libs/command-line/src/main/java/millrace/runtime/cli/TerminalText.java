package millrace.runtime.cli;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

    /** What is quoted to support beside an error; "" where a service says neither. */
    public static String quotable(@Nullable String code, @Nullable String requestId) {
        String both = Stream.of(code == null ? "" : "code " + code, requestId == null ? "" : "request id " + requestId)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
        return both.isEmpty() ? "" : "(" + escaped(both) + ")";
    }

    /** Also the marks that turn the direction of text around. */
    private static boolean isControl(int c) {
        return Character.isISOControl(c) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    }
}
