package millrace.processor.warehouse.duckdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes versions of the data that nobody reads any more. Ledgers mark what their open reports read; a version goes when it is
 * not current, and has not been marked for a while. That while begins anew with each process, so that a ledger that was away
 * has time to mark what it needs.
 */
public final class DataVersionCleanup {
    private static final Logger LOG = LoggerFactory.getLogger(DataVersionCleanup.class);

    private final WarehouseFolder folder;
    private final Duration grace;
    private final InstantSource clock;
    private final Map<String, Instant> seen = new HashMap<>();

    /** @param grace how long a version stays after its last mark; much longer than it takes to mark one again */
    public DataVersionCleanup(WarehouseFolder folder, Duration grace, InstantSource clock) {
        this.folder = folder;
        this.grace = grace;
        this.clock = clock;
    }

    /** To be called every now and then, by one thread. */
    public void sweep() {
        Instant now = clock.instant();
        Set<String> old = new HashSet<>();
        try {
            for (String dataset : folder.datasets()) {
                for (String version : folder.versions(dataset)) {
                    if (!folder.isCurrent(dataset, version)) {
                        String name = dataset + "/" + version;
                        old.add(name);
                        Instant used = later(seen.computeIfAbsent(name, n -> now), folder.markedAt(dataset, version));
                        if (used.plus(grace).isBefore(now) && folder.delete(dataset, version)) {
                            LOG.info("version {} of {} was deleted: nobody reads it", version, dataset);
                        }
                    }
                }
            }
            // One that was current again meanwhile starts anew.
            seen.keySet().retainAll(old);
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("old versions of the data cannot be looked after: {}", e.toString());
        }
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
