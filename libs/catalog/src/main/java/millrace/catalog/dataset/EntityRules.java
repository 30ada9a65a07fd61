package millrace.catalog.dataset;

import java.util.Optional;
import java.util.regex.Pattern;
import millrace.catalog.text.Text;

/** Normalises and checks domains and keywords. */
public final class EntityRules {
    private static final int LONGEST_KEYWORD = 500;
    private static final int LONGEST_HOST = 253;
    private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*:/.*", Pattern.DOTALL);
    private static final Pattern PORT = Pattern.compile("[^:]*:[0-9]*");
    private static final int LONGEST_LABEL = 63;

    public static final String HOST_WORDS = "a bare host name of letters, digits, - and ., for example example.com";
    public static final String KEYWORD_WORDS = "1 to 500 characters without control characters";

    private EntityRules() {}

    /** The normal form, in which entities are compared. */
    public static String normal(EntityField.Kind kind, String text) {
        return switch (kind) {
            // Letters outside ASCII keep their case: some, such as the Kelvin sign, would become ASCII and so
            // another host.
            case DOMAIN -> text.chars().allMatch(c -> c < 128) ? Text.lower(text) : text;
            case KEYWORD -> Text.lower(text.strip());
        };
    }

    /** Whether a request can name an entity that is in the data in this form. */
    public static boolean canBeNamed(EntityField.Kind kind, String text) {
        return normal(kind, text).equals(text) && problem(kind, text).isEmpty();
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

    /** Whether it is labels of 1 to 63 lower-case letters, digits and inner hyphens, with dots between them. */
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
            } else if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) {
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
        if (host.codePoints().anyMatch(c -> c > 127)) {
            return "has letters outside ASCII, which must be written in punycode (xn--…)";
        }
        return "is not a host name";
    }

    private static Optional<String> keywordProblem(String keyword) {
        if (keyword.isEmpty()) {
            return Optional.of("is empty");
        }
        int length = 0;
        boolean halves = false;
        for (int at = 0; at < keyword.length(); length++) {
            int c = keyword.codePointAt(at);
            if (Character.isISOControl(c)) {
                return Optional.of("has a control character");
            }
            halves |= Character.isBmpCodePoint(c) && Character.isSurrogate((char) c);
            at += Character.charCount(c);
        }
        if (halves) {
            return Optional.of("has half of a surrogate pair");
        }
        return length > LONGEST_KEYWORD ? Optional.of("has " + Text.number(length) + " characters") : Optional.empty();
    }
}
