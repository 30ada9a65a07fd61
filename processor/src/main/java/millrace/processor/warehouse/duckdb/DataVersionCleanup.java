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
 * Deletes data versions that no report reads. Ledgers mark the versions that their open reports read. A version is
 * deleted when it is not current and was not marked during the grace, which begins with the start of this process, so
 * that a restarted ledger has time to mark its versions.
 */
public final class DataVersionCleanup {
    private static final Logger LOG = LoggerFactory.getLogger(DataVersionCleanup.class);

    private final WarehouseFolder folder;
    private final Duration grace;
    private final InstantSource clock;
    private final Map<String, Instant> seen = new HashMap<>();

    /** @param grace how long a version is kept after its last mark; must be much longer than the time between marks */
    public DataVersionCleanup(WarehouseFolder folder, Duration grace, InstantSource clock) {
        this.folder = folder;
        this.grace = grace;
        this.clock = clock;
    }

    /** To be called regularly, by one thread. */
    public void sweep() {
        Instant now = clock.instant();
        Set<String> old = new HashSet<>();
        try {
            for (String dataset : folder.datasets()) {
                sweep(dataset, now, old);
            }
            // The grace of a version that was current meanwhile begins again.
            seen.keySet().retainAll(old);
        } catch (IOException e) {
            LOG.warn("data version cleanup failed error={}", e.toString());
        }
    }

    private void sweep(String dataset, Instant now, Set<String> old) {
        try {
            for (String version : folder.versions(dataset)) {
                if (!folder.isCurrent(dataset, version)) {
                    String name = dataset + "/" + version;
                    old.add(name);
                    Instant used = later(seen.computeIfAbsent(name, n -> now), folder.markedAt(dataset, version));
                    if (used.plus(grace).isBefore(now) && folder.delete(dataset, version)) {
                        LOG.info("unused data version deleted dataset={} version={}", dataset, version);
                    }
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // Any of its versions may be the current one.
            LOG.warn("data version cleanup failed dataset={} error={}", dataset, e.getMessage());
        }
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
