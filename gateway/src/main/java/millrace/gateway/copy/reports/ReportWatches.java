package millrace.gateway.copy.reports;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Counts the changes of the reports that somebody waits for, so that who waits reads rows only after a change of its own
 * report. Safe for use by many threads.
 */
public final class ReportWatches {
    private final Map<UUID, Watch> watches = new ConcurrentHashMap<>();

    private static final class Watch {
        private final AtomicInteger changes = new AtomicInteger();
        /** Changed with the map. */
        private int watchers;
    }

    /** Waits until a condition holds; false if it does not in time. */
    @FunctionalInterface
    public interface Waiting {
        boolean until(BooleanSupplier condition) throws InterruptedException;
    }

    /** Has the waiting ask for the condition, once at first, and then after each change of the report. */
    public boolean await(UUID reportId, BooleanSupplier condition, Waiting waiting) throws InterruptedException {
        Watch watch = watches.compute(reportId, (id, known) -> {
            Watch mine = known == null ? new Watch() : known;
            mine.watchers++;
            return mine;
        });
        var seen = new AtomicInteger(-1);
        try {
            return waiting.until(() -> {
                int changes = watch.changes.get();
                return seen.getAndSet(changes) != changes && condition.getAsBoolean();
            });
        } finally {
            watches.computeIfPresent(reportId, (id, same) -> --same.watchers == 0 ? null : same);
        }
    }

    /** To be called when whoever looks sees the change: the status of the report is another one, or gone. */
    void changed(UUID reportId) {
        Watch watch = watches.get(reportId);
        if (watch != null) {
            watch.changes.incrementAndGet();
        }
    }
}
