package millrace.webhook;

import java.time.Duration;
import java.util.Map;

/**
 * Where the time of an exchange went.
 *
 * @param phases only those that were reached
 */
public record ExchangeTimings(Duration total, Map<ExchangePhase, Duration> phases) {
    /** Of an exchange that did not begin. */
    public static final ExchangeTimings NONE = new ExchangeTimings(Duration.ZERO, Map.of());
}
