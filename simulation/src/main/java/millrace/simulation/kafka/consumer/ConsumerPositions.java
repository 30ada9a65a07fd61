package millrace.simulation.kafka.consumer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import millrace.simulation.kafka.broker.TopicMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The assigned partitions of a consumer and their positions. */
final class ConsumerPositions {
    private static final long UNKNOWN = -1;

    private final TreeMap<TopicPartition, Position> partitions = new TreeMap<>(TopicMetadata.ORDER);

    private static final class Position {
        private long offset = UNKNOWN;
        private boolean paused;
    }

    /** Sets the assignment. Partitions that stay assigned keep their positions. */
    void assign(Collection<TopicPartition> assigned) {
        partitions.keySet().retainAll(TopicMetadata.sorted(assigned));
        assigned.forEach(partition -> partitions.computeIfAbsent(partition, p -> new Position()));
    }

    SortedSet<TopicPartition> assigned() {
        return TopicMetadata.sorted(partitions.keySet());
    }

    boolean has(TopicPartition partition) {
        return partitions.containsKey(partition);
    }

    /** The partitions whose position is not known yet. */
    List<TopicPartition> unknown() {
        List<TopicPartition> unknown = new ArrayList<>();
        partitions.forEach((partition, position) -> {
            if (position.offset == UNKNOWN) {
                unknown.add(partition);
            }
        });
        return unknown;
    }

    /** The position; null while it is not known. */
    @Nullable
    Long offset(TopicPartition partition) {
        long offset = of(partition).offset;
        return offset == UNKNOWN ? null : offset;
    }

    void seek(TopicPartition partition, long offset) {
        of(partition).offset = offset;
    }

    boolean isPaused(TopicPartition partition) {
        return of(partition).paused;
    }

    void pause(TopicPartition partition, boolean paused) {
        of(partition).paused = paused;
    }

    Set<TopicPartition> paused() {
        Set<TopicPartition> paused = new LinkedHashSet<>();
        partitions.forEach((partition, position) -> {
            if (position.paused) {
                paused.add(partition);
            }
        });
        return paused;
    }

    private Position of(TopicPartition partition) {
        Position position = partitions.get(partition);
        if (position == null) {
            throw new IllegalStateException("No current assignment for partition " + partition);
        }
        return position;
    }
}
