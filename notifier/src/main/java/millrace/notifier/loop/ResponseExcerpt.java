package millrace.notifier.loop;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import millrace.webhook.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a receiver's answer, as it may be shown and published: at most 1 KiB of UTF-8, without control
 * characters, and without the signature of the event's download link, which receivers may repeat.
 */
final class ResponseExcerpt {
    private static final int MAX_BYTES = 1024;
    private static final char REPLACEMENT = '\uFFFD';
    private static final Pattern SIGNATURE = Pattern.compile("signature=([A-Za-z0-9_-]+)");

    private ResponseExcerpt() {}

    /**
     * Null if there was no answer, or no text in it.
     *
     * @param sent the body of the event
     */
    static @Nullable String of(Exchange exchange, String sent) {
        if (!(exchange instanceof Exchange.Answered answered) || answered.text() == null) {
            return null;
        }
        String excerpt = beginning(withoutSignatures(answered.text(), sent));
        return excerpt.isEmpty() ? null : excerpt;
    }

    /** Takes them from the whole text, so that none is cut in two and half of it stays. */
    private static String withoutSignatures(String text, String sent) {
        var signatures = SIGNATURE.matcher(sent);
        String without = text;
        while (signatures.find()) {
            without = without.replace(signatures.group(1), "removed");
        }
        return without;
    }

    private static String beginning(String text) {
        var excerpt = new StringBuilder();
        int bytes = 0;
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            i += Character.charCount(character);
            if (character == '\r' && i < text.length() && text.charAt(i) == '\n') {
                continue;
            }
            int shown = shown(character);
            bytes += Character.toString(shown).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_BYTES) {
                break;
            }
            excerpt.appendCodePoint(shown);
        }
        return excerpt.toString().strip();
    }

    /** The character, or the replacement for one that is invisible or that no text of UTF-8 can hold. */
    private static int shown(int character) {
        if (character == '\n' || character == '\t') {
            return character;
        }
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE -> REPLACEMENT;
            default -> character;
        };
    }
}
