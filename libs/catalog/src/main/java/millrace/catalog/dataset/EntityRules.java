package millrace.catalog.dataset;

import java.net.IDN;
import java.util.Optional;
import java.util.regex.Pattern;
import millrace.catalog.text.PlainText;
import millrace.catalog.text.Text;

/** Normalises and checks domains and keywords: those of requests, and those of imported files. */
public final class EntityRules {
    private static final int LONGEST_KEYWORD = 500;
    private static final int LONGEST_HOST = 253;
    private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*:/.*", Pattern.DOTALL);
    private static final Pattern OTHER_SPACES = Pattern.compile("\\p{Z}");
    private static final Pattern PORT = Pattern.compile("[^:]*:[0-9]*");
    private static final int LONGEST_LABEL = 63;

    /** Letters that IDNA 2003, which Java knows, writes otherwise than IDNA 2008, which browsers know. */
    private static final Pattern DEVIATION = Pattern.compile("[\u00DF\u1E9E\u03C2\u200C\u200D]");

    public static final String HOST_WORDS = "a bare host name of letters, digits, -, _ and ., for example example.com";
    public static final String KEYWORD_WORDS = "1 to 500 characters without control characters";

    private static final String LABEL = "[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?";
    private static final String HOST_PATTERN = "^" + LABEL + "(\\." + LABEL + ")*$";
    /** What stands in a keyword, and what it begins and ends with. */
    private static final String INSIDE = "[^\\u0000-\\u001f\\u007f-\\u009f\\ufffd]";

    private static final String EDGE = "[^\\s\\u0000-\\u001f\\u007f-\\u009f\\ufffd]";
    private static final String BLANKS = "[\\s\\u0085]*";
    private static final String KEYWORD_PATTERN = "^" + BLANKS + EDGE + "(" + INSIDE + "*" + EDGE + ")?" + BLANKS + "$";

    private EntityRules() {}

    /**
     * A regular expression of ECMA-262 for what a request may write. Whatever {@link #problem} accepts matches it, and of a
     * keyword some that it refuses.
     */
    public static String pattern(EntityField.Kind kind) {
        return switch (kind) {
            case DOMAIN -> HOST_PATTERN;
            case KEYWORD -> KEYWORD_PATTERN;
        };
    }

    /** Most characters of one. */
    public static int longest(EntityField.Kind kind) {
        return switch (kind) {
            case DOMAIN -> LONGEST_HOST;
            case KEYWORD -> LONGEST_KEYWORD;
        };
    }

    /** The normal form, in which entities are compared. */
    public static String normal(EntityField.Kind kind, String text) {
        return switch (kind) {
            // Letters outside ASCII keep their case: some, such as the Kelvin sign, would become ASCII and so
            // another host.
            case DOMAIN -> PlainText.isAscii(text) ? Text.lower(text) : text;
            case KEYWORD -> normalKeyword(text);
        };
    }

    /** Whether a request can name an entity that is in the data in this form. */
    public static boolean canBeNamed(EntityField.Kind kind, String text) {
        return normal(kind, text).equals(text) && problem(kind, text).isEmpty();
    }

    /** The normal form of what a name begins with. Blanks at its end count, as the next word follows. */
    public static String normalStart(EntityField.Kind kind, String text) {
        String name = normal(kind, text.stripLeading() + "x");
        return name.substring(0, name.length() - 1);
    }

    /** Lower case in Unicode's normal form C, without blanks around, and with spaces for the blanks inside. */
    private static String normalKeyword(String text) {
        String lower = Text.lower(PlainText.stripped(text));
        if (PlainText.isAscii(lower)) {
            return lower;
        }
        boolean spaces = lower.chars().anyMatch(PlainText::isOtherSpace);
        return PlainText.normal(spaces ? OTHER_SPACES.matcher(lower).replaceAll(" ") : lower);
    }

    /** A sentence about an entity in its normal form; empty where it is valid. */
    public static Optional<String> problem(EntityField.Kind kind, String value) {
        return switch (kind) {
            case DOMAIN -> hostProblem(value).map(p -> p + "; accepted: " + HOST_WORDS);
            case KEYWORD -> keywordProblem(value).map(p -> p + "; accepted: " + KEYWORD_WORDS);
        };
    }

    private static Optional<String> hostProblem(String host) {
        return isHost(host.toCharArray(), 0, host.length()) ? Optional.empty() : Optional.of(hostFault(host));
    }

    /**
     * Whether a text is surely valid and in its normal form; most are. Lists have millions of them, so it makes no
     * String.
     */
    public static boolean isNormal(EntityField.Kind kind, char[] chars, int from, int length) {
        return switch (kind) {
            case DOMAIN -> isHost(chars, from, length);
            case KEYWORD -> isPlainKeyword(chars, from, length);
        };
    }

    /**
     * Whether it is labels of 1 to 63 lower-case letters, digits, underscores and inner hyphens, with dots between
     * them. Host names have no underscores (RFC 952), but DNS has them, and sites do.
     */
    private static boolean isHost(char[] chars, int from, int length) {
        if (length > LONGEST_HOST) {
            return false;
        }
        int label = from;
        for (int i = from; i < from + length; i++) {
            char c = chars[i];
            if (c == '.') {
                if (!isLabel(chars, label, i)) {
                    return false;
                }
                label = i + 1;
            } else if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_')) {
                return false;
            }
        }
        return isLabel(chars, label, from + length);
    }

    private static boolean isLabel(char[] chars, int from, int end) {
        return end > from && end - from <= LONGEST_LABEL && chars[from] != '-' && chars[end - 1] != '-';
    }

    private static boolean isPlainKeyword(char[] chars, int from, int length) {
        if (length < 1 || length > LONGEST_KEYWORD || chars[from] == ' ' || chars[from + length - 1] == ' ') {
            return false;
        }
        for (int i = from; i < from + length; i++) {
            char c = chars[i];
            if (c < ' ' || c > '~' || (c >= 'A' && c <= 'Z')) {
                return false;
            }
        }
        return true;
    }

    private static String hostFault(String host) {
        if (host.isEmpty()) {
            return "is empty";
        }
        if (host.length() > LONGEST_HOST) {
            return "has " + Text.number(host.length()) + " characters, more than " + LONGEST_HOST;
        }
        if (SCHEME.matcher(host).matches()) {
            return "has a scheme";
        }
        if (host.indexOf('/') >= 0 || host.indexOf('?') >= 0 || host.indexOf('#') >= 0) {
            return "has a path";
        }
        if (PORT.matcher(host).matches()) {
            return "has a port";
        }
        if (host.codePoints().anyMatch(c -> Character.isWhitespace(c) || Character.isSpaceChar(c))) {
            return "has a space";
        }
        return PlainText.isAscii(host) ? "is not a host name" : otherLetters(host);
    }

    /** A sentence about a host with letters outside ASCII, with its form in punycode where that is certain. */
    public static String otherLetters(String host) {
        return "has letters outside ASCII, which must be written in punycode: "
                + punycode(host).orElse("xn--…");
    }

    private static Optional<String> punycode(String host) {
        if (DEVIATION.matcher(host).find()) {
            return Optional.empty();
        }
        try {
            String ascii = Text.lower(IDN.toASCII(host, IDN.USE_STD3_ASCII_RULES));
            return isHost(ascii.toCharArray(), 0, ascii.length()) ? Optional.of(ascii) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> keywordProblem(String keyword) {
        if (keyword.isEmpty()) {
            return Optional.of("is empty");
        }
        return PlainText.fault(keyword).or(() -> {
            int length = keyword.codePointCount(0, keyword.length());
            return length > LONGEST_KEYWORD
                    ? Optional.of("has " + Text.number(length) + " characters")
                    : Optional.empty();
        });
    }
}
