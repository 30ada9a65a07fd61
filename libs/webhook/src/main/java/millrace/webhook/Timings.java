package millrace.webhook;

import java.time.Duration;
import java.util.Map;

/**
 * Where the time of an exchange went.
 *
 * @param phases only those that were reached
 */
public record Timings(Duration total, Map<Phase, Duration> phases) {
    /** Of an exchange that did not begin. */
    public static final Timings NONE = new Timings(Duration.ZERO, Map.of());
}
