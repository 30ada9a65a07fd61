package millrace.webhook;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** Adds up the time that each phase of one exchange takes. For one thread. */
final class PhaseWatch {
    private final long started = System.nanoTime();
    private final Map<Phase, Duration> phases = new EnumMap<>(Phase.class);
    private Phase phase = Phase.RESOLVE;
    private long since = started;
    private boolean entered;

    void enter(Phase next) {
        close();
        phase = next;
        entered = true;
    }

    Phase phase() {
        return phase;
    }

    Timings timings() {
        close();
        return new Timings(Duration.ofNanos(System.nanoTime() - started), Map.copyOf(phases));
    }

    private void close() {
        long now = System.nanoTime();
        if (entered) {
            phases.merge(phase, Duration.ofNanos(now - since), Duration::plus);
        }
        since = now;
    }
}
