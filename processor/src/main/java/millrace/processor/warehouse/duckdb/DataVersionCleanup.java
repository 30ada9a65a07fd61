package millrace.processor.warehouse.duckdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes data versions that no report reads. Ledgers mark the versions that their open reports read. A version is
 * deleted when it is not current and its mark has not changed during the grace, which begins with the start of this
 * process, so that a restarted ledger has time to mark its versions. What the marks say is not compared with a clock:
 * where one jumps forward, every mark would be too old.
 */
public final class DataVersionCleanup {
    private static final Logger LOG = LoggerFactory.getLogger(DataVersionCleanup.class);

    private final WarehouseFolder folder;
    private final Duration grace;
    private final LongSupplier nanos;
    private final Map<String, Seen> seen = new HashMap<>();

    /** @param since when the mark was first seen as it is, by the monotonic clock */
    private record Seen(Instant mark, long since) {}

    /**
     * @param grace how long a version is kept after its last mark; must be much longer than the time between marks
     * @param nanos a clock that does not go back, as {@link System#nanoTime}
     */
    public DataVersionCleanup(WarehouseFolder folder, Duration grace, LongSupplier nanos) {
        this.folder = folder;
        this.grace = grace;
        this.nanos = nanos;
    }

    /** To be called regularly, by one thread. */
    public void sweep() {
        long now = nanos.getAsLong();
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

    private void sweep(String dataset, long now, Set<String> old) {
        try {
            for (String version : folder.versions(dataset)) {
                if (!folder.isCurrent(dataset, version)) {
                    String name = dataset + "/" + version;
                    old.add(name);
                    Instant mark = folder.markedAt(dataset, version);
                    Seen last =
                            seen.compute(name, (n, s) -> s != null && s.mark().equals(mark) ? s : new Seen(mark, now));
                    if (now - last.since() > grace.toNanos() && folder.delete(dataset, version)) {
                        LOG.info("unused data version deleted dataset={} version={}", dataset, version);
                    }
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // Any of its versions may be the current one.
            LOG.warn("data version cleanup failed dataset={} error={}", dataset, e.getMessage());
        }
    }
}
