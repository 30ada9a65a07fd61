package millrace.webhook.http;

import io.netty.handler.codec.DateFormatter;
import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/** Reads a Retry-After header: seconds, or an HTTP date. */
final class RetryAfter {
    private static final int MAX_DIGITS = 9;
    /** Netty throws where a date is longer. */
    private static final int MAX_DATE = 64;

    private RetryAfter() {}

    /** Returns null where the header is missing or invalid. */
    static @Nullable Instant parse(@Nullable String header, Instant now) {
        if (header == null) {
            return null;
        }
        String text = header.strip();
        if (text.matches("[0-9]{1," + MAX_DIGITS + "}")) {
            return now.plusSeconds(Long.parseLong(text));
        }
        Date date = text.isEmpty() || text.length() > MAX_DATE ? null : DateFormatter.parseHttpDate(text);
        return date == null ? null : date.toInstant();
    }
}
