package millrace.catalog.text;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Compares texts, and formats values for sentences. */
public final class Text {
    /** Most characters of a client's value in a sentence. */
    private static final int SHOWN = 80;

    private static final Pattern IDENTIFIER = Pattern.compile("[a-z][a-z0-9_]{0,62}");

    /**
     * Compares by UTF-8 bytes without encoding: surrogates sort after the rest of the basic plane.
     */
    public static final Comparator<String> UTF8 = Text::compareUtf8;

    private Text() {}

    /** The text for a cell, so that no spreadsheet takes it for a formula. */
    public static String cell(String value) {
        return isFormula(value) ? "'" + value : value;
    }

    /** Whether a spreadsheet takes a cell with this text for a formula. */
    private static boolean isFormula(String value) {
        return !value.isEmpty()
                && switch (value.charAt(0)) {
                    case '=', '+', '-', '@', '\t', '\r' -> true;
                    case '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20' -> true; // their full-width forms
                    default -> false;
                };
    }

    /** The value in quotes, at most 80 characters, with unprintable ones escaped. */
    public static String quoted(String value) {
        return quoted(value, SHOWN);
    }

    /** The value in quotes, at most so many characters, with unprintable ones escaped. */
    public static String quoted(String value, int most) {
        var out = new StringBuilder("\"");
        int at = 0;
        for (int shown = 0; at < value.length() && shown < most; shown++) {
            int c = value.codePointAt(at);
            at += Character.charCount(c);
            append(out, c);
        }
        return out.append(at < value.length() ? "…\"" : "\"").toString();
    }

    /**
     * A library's message, which may repeat input, as one printable line of at most 200 characters.
     */
    public static String plain(String message) {
        var out = new StringBuilder();
        message.lines().findFirst().orElse("").codePoints().limit(200).forEach(c -> append(out, c));
        return out.toString().replace("\\\"", "\"").replace("\\\\", "\\");
    }

    private static void append(StringBuilder out, int c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (printable(c)) {
                    out.appendCodePoint(c);
                } else if (Character.isBmpCodePoint(c)) {
                    out.append(String.format(Locale.ROOT, "\\u%04x", c));
                } else {
                    out.append(String.format(Locale.ROOT, "\\u{%x}", c));
                }
            }
        }
    }

    /**
     * Excludes control, format (such as bidirectional marks), line separator, surrogate, private
     * and unassigned characters.
     */
    private static boolean printable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    /** {@code a, b, c}, the first 40 of them. */
    public static String list(List<String> values) {
        int most = 40;
        String shown = String.join(", ", values.subList(0, Math.min(most, values.size())));
        return values.size() > most ? shown + " and " + number(values.size() - most) + " more" : shown;
    }

    /** A number with thousands separators: {@code 1,000,000}. */
    public static String number(long n) {
        var digits = new StringBuilder(Long.toString(n));
        for (int at = digits.length() - 3; at > (n < 0 ? 1 : 0); at -= 3) {
            digits.insert(at, ',');
        }
        return digits.toString();
    }

    public static String lower(String value) {
        return value.toLowerCase(Locale.ROOT);
    }

    /**
     * Checks that a name is a valid column on every engine.
     *
     * @throws IllegalArgumentException where it is not
     */
    public static void identifier(String field, String name) {
        if (!IDENTIFIER.matcher(name).matches()) {
            throw new IllegalArgumentException(field + ": " + quoted(name)
                    + " is not a name of lower-case letters, digits and _, 1 to 63 characters");
        }
    }

    private static int compareUtf8(String a, String b) {
        int shared = Math.min(a.length(), b.length());
        for (int i = 0; i < shared; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean bothPlain = !Character.isSurrogate(x) && !Character.isSurrogate(y);
                boolean bothNot = Character.isSurrogate(x) && Character.isSurrogate(y);
                return bothPlain || bothNot ? Character.compare(x, y) : Character.isSurrogate(x) ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
