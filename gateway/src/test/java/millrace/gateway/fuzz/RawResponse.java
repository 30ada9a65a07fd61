package millrace.gateway.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/**
 * An answer as it came over the wire.
 *
 * @param headers by their lower-case names; of several the last
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RawResponse(int status, Map<String, String> headers, byte[] body) {

    public String header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    /** Without parameters. */
    public String mediaType() {
        return header("content-type").split(";", 2)[0].strip();
    }

    /** Whether the body is not the content, but packed, since the request allowed it. */
    boolean isPacked() {
        return headers.containsKey("content-encoding");
    }

    /** Whether it never ends; the body is then its beginning. */
    boolean isEventStream() {
        return mediaType().equals("text/event-stream");
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** For a person. */
    @Override
    public String toString() {
        String text = text();
        return status + " " + header("content-type") + " " + text.substring(0, Math.min(400, text.length()));
    }
}
