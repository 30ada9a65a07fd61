package millrace.webhook;

import java.time.Duration;
import java.util.Map;

/**
 * The time of an exchange by phase.
 *
 * @param phases only those that were reached
 */
public record ExchangeTimings(Duration total, Map<ExchangePhase, Duration> phases) {
    /** Timings of an exchange that was blocked. */
    public static final ExchangeTimings NONE = new ExchangeTimings(Duration.ZERO, Map.of());
}
