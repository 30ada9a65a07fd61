package millrace.gateway.copy.reports;

import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The beginning of a report's id, as pages show it.
 *
 * @param text in lower case
 */
public record IdPrefix(String text) {
    /** What {@link #parse} takes, as the end of a sentence. */
    public static final String WANTED =
            "must be the first 8 to 36 characters of a report's id, like 845d6440 or 845d6440-79d1.";

    /** Few reports, if any, have so many in common. */
    private static final int SHORTEST = 8;

    private static final String FIRST_ID = "00000000-0000-0000-0000-000000000000";
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    /** Empty if the text is too short, or begins no id. */
    public static Optional<IdPrefix> parse(String text) {
        var prefix = new IdPrefix(text.toLowerCase(Locale.ROOT));
        boolean begins = text.length() >= SHORTEST
                && text.length() <= FIRST_ID.length()
                && ID.matcher(prefix.filled()).matches();
        return begins ? Optional.of(prefix) : Optional.empty();
    }

    /** The first id that begins so, in the order of keys on the disk. */
    UUID first() {
        return UUID.fromString(filled());
    }

    public boolean begins(UUID reportId) {
        return reportId.toString().startsWith(text);
    }

    private String filled() {
        return text + FIRST_ID.substring(text.length());
    }
}
