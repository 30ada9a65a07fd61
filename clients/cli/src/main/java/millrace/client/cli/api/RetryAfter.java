package millrace.client.cli.api;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Reads the header Retry-After: seconds, or a date. */
public final class RetryAfter {
    private static final Duration LONGEST = Duration.ofDays(1);

    private RetryAfter() {}

    /** Null where there is none, or it is neither. */
    public static @Nullable Duration of(@Nullable String header, Instant now) {
        if (header == null) {
            return null;
        }
        String text = header.strip();
        if (text.matches("[0-9]{1,9}")) {
            return min(Duration.ofSeconds(Long.parseLong(text)));
        }
        try {
            Duration until = Duration.between(now, ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME));
            return until.isNegative() ? Duration.ZERO : min(until);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    private static Duration min(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    }
}
