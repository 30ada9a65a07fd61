package millrace.gateway.commands;

import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The W3C trace context of a request: the client's where it sent a valid one, else a new one. */
public final class Traceparent {
    private static final Pattern VALID = Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

    private Traceparent() {}

    /** Returns the header where it is valid, else null. */
    public static @Nullable String valid(@Nullable String header) {
        return header != null && VALID.matcher(header).matches() ? header : null;
    }

    /** @param random for the ids of a new trace */
    public static String fresh(UUID random) {
        String trace = random.toString().replace("-", "");
        return "00-" + trace + "-" + trace.substring(8, 24) + "-01";
    }
}
