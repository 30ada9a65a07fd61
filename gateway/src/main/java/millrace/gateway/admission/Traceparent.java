package millrace.gateway.admission;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The W3C trace context of a request: the client's where it sent a valid one, else a new one. */
public final class Traceparent {
    private static final Pattern VALID = Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

    private static final HexFormat HEX = HexFormat.of();

    private Traceparent() {}

    /** Returns the header where it is valid, else null. */
    public static @Nullable String valid(@Nullable String header) {
        return header != null && VALID.matcher(header).matches() ? header : null;
    }

    /** That of a new trace, whose ids nobody has to be unable to guess. */
    public static String fresh() {
        var random = ThreadLocalRandom.current();
        String span = HEX.toHexDigits(random.nextLong() | 1);
        return "00-" + HEX.toHexDigits(random.nextLong()) + span + "-" + span + "-01";
    }
}
