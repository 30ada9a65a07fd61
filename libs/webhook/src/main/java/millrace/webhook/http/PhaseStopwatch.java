package millrace.webhook.http;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import millrace.webhook.ExchangePhase;
import millrace.webhook.ExchangeTimings;

/** Measures the time of each phase of one exchange. For one thread. */
final class PhaseStopwatch {
    private final long started = System.nanoTime();
    private final Map<ExchangePhase, Duration> phases = new EnumMap<>(ExchangePhase.class);
    private ExchangePhase phase = ExchangePhase.RESOLVE;
    private long since = started;
    private boolean entered;

    void enter(ExchangePhase next) {
        close();
        phase = next;
        entered = true;
    }

    ExchangePhase phase() {
        return phase;
    }

    /** Time since the beginning. */
    Duration total() {
        return Duration.ofNanos(System.nanoTime() - started);
    }

    ExchangeTimings timings() {
        close();
        return new ExchangeTimings(total(), Map.copyOf(phases));
    }

    private void close() {
        long now = System.nanoTime();
        if (entered) {
            phases.merge(phase, Duration.ofNanos(now - since), Duration::plus);
        }
        since = now;
    }
}
