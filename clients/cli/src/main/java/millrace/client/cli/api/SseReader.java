package millrace.client.cli.api;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events, as the HTML standard defines them. */
final class SseReader {
    private static final int LONGEST_EVENT = 1 << 20;

    private final InputStream in;
    private String position;
    private @Nullable Duration retry;
    private boolean afterReturn;

    /** @param position where the feed was left, or "" */
    SseReader(InputStream in, String position) {
        this.in = new BufferedInputStream(in);
        this.position = position;
    }

    /** @param data lines joined by LF */
    record Event(String type, String data) {}

    /** The id of the last event, or one that came alone. */
    String position() {
        return position;
    }

    /** How long to wait before a new connection, where the service has said so. */
    @Nullable
    Duration retry() {
        return retry;
    }

    /** The next event; null where the stream ends. What is not whole by then does not count. */
    @Nullable
    Event next() throws IOException {
        String type = "message";
        String id = position;
        StringBuilder data = new StringBuilder();
        boolean any = false;
        for (String line = line(); line != null; line = line()) {
            if (line.isEmpty()) {
                position = id;
                if (any) {
                    return new Event(type, data.toString());
                }
                type = "message";
                continue;
            }
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(colon + 1);
            value = value.startsWith(" ") ? value.substring(1) : value;
            switch (field) {
                case "event" -> type = value;
                case "data" -> {
                    data.append(any ? "\n" : "").append(value);
                    any = true;
                    if (data.length() > LONGEST_EVENT) {
                        throw new IOException("an event is longer than " + LONGEST_EVENT + " characters");
                    }
                }
                case "id" -> id = value.indexOf('\0') < 0 ? value : id;
                case "retry" -> retry = value.matches("[0-9]{1,9}") ? Duration.ofMillis(Long.parseLong(value)) : retry;
                default -> {
                    // A comment, or a field of later versions.
                }
            }
        }
        return null;
    }

    /** A line ends with LF, CR, or both. */
    private @Nullable String line() throws IOException {
        var bytes = new ByteArrayOutputStream();
        while (true) {
            int c = in.read();
            if (c == '\n' && afterReturn) {
                afterReturn = false;
                continue;
            }
            afterReturn = c == '\r';
            if (c < 0) {
                return null;
            }
            if (c == '\n' || c == '\r') {
                return bytes.toString(StandardCharsets.UTF_8);
            }
            if (bytes.size() >= LONGEST_EVENT) {
                throw new IOException("a line of the feed is longer than " + LONGEST_EVENT + " bytes");
            }
            bytes.write(c);
        }
    }
}
