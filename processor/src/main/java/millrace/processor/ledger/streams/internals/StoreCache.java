package millrace.processor.ledger.streams.internals;

import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.internals.CachedStateStore;

/** The cache that Streams puts in front of a store. */
public final class StoreCache {
    private StoreCache() {}

    /**
     * Lets a key that a transaction adds and removes again, as those of a report that is rendered within it, be written to
     * neither the database nor the changelog: the cache leaves out the removal of a key that the database does not have,
     * but only if somebody listens to what it flushes.
     */
    public static void leaveOutNeedlessRemovals(StateStore store) {
        if (store instanceof CachedStateStore<?, ?> cached) {
            cached.setFlushListener(flushed -> {}, false);
        }
    }
}
