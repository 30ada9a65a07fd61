package millrace.contracts.topics;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import millrace.contracts.commands.AccountCommand.Idempotency;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * What gateways need to know of a report's request without reading it, as a header of the records of
 * {@link Topics#REPORT_STATUS}: milliseconds, and after a blank the key where there is one. Statuses of earlier builds do
 * not have it.
 *
 * @param writtenAt the time of the request's record in {@link Topics#REPORT_REQUESTS}; its partition is that of the status
 * @param key the first 32 digits of the hash of the client's Idempotency-Key, or null without one
 */
public record RequestRecord(Instant writtenAt, @Nullable String key) {
    public static final String HEADER = "millrace.request";
    private static final int KEY_DIGITS = 32;

    /** The request is written now. */
    public static RequestRecord of(@Nullable Idempotency idempotency, Instant now) {
        String hash = idempotency == null ? null : idempotency.keyHash();
        return new RequestRecord(now, hash == null ? null : hash.substring(0, Math.min(hash.length(), KEY_DIGITS)));
    }

    /**
     * What the headers of a status say, or null.
     *
     * @throws IllegalArgumentException where it cannot be read
     */
    public static @Nullable RequestRecord in(Headers headers) {
        Header header = headers.lastHeader(HEADER);
        if (header == null) {
            return null;
        }
        String text = new String(header.value(), StandardCharsets.US_ASCII);
        int blank = text.indexOf(' ');
        if (blank >= 0 && text.length() != blank + 1 + KEY_DIGITS) {
            throw new IllegalArgumentException("header " + HEADER + " is \"" + text + "\"");
        }
        Instant writtenAt = Instant.ofEpochMilli(Long.parseLong(blank < 0 ? text : text.substring(0, blank)));
        return new RequestRecord(writtenAt, blank < 0 ? null : text.substring(blank + 1));
    }

    public void addTo(Headers headers) {
        String text = writtenAt.toEpochMilli() + (key == null ? "" : " " + key);
        headers.add(HEADER, text.getBytes(StandardCharsets.US_ASCII));
    }
}
