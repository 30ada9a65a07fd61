package millrace.gateway.copy.reports;

import jakarta.inject.Singleton;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Remembers the commands that were folded when Kafka acknowledged them, so that they are not
 * decoded again when they are read.
 */
@Singleton
public final class AlreadyFoldedCommands {
    /** Offsets by partition. */
    private final Map<Integer, NavigableSet<Long>> offsets = new ConcurrentHashMap<>();

    public void add(int partition, long offset) {
        offsets.computeIfAbsent(partition, p -> new ConcurrentSkipListSet<>()).add(offset);
    }

    /**
     * Whether the command at the offset was folded already. Forgets it and those before it, since a
     * partition is read in order.
     */
    boolean remove(int partition, long offset) {
        NavigableSet<Long> folded = offsets.get(partition);
        if (folded == null || folded.isEmpty()) {
            return false;
        }
        boolean removed = folded.remove(offset);
        folded.headSet(offset).clear();
        return removed;
    }
}
