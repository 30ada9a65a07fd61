package millrace.simulation.kafka.group;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/** The committed offsets of one group, and the pending ones of open transactions. */
public final class GroupOffsets {
    private final Map<TopicPartition, OffsetAndMetadata> committed = new LinkedHashMap<>();
    private final Map<Long, Map<TopicPartition, OffsetAndMetadata>> pending = new LinkedHashMap<>();

    void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        committed.putAll(offsets);
    }

    /** Adds offsets that are pending until the producer's transaction ends. */
    public void pend(long producerId, Map<TopicPartition, OffsetAndMetadata> offsets) {
        pending.computeIfAbsent(producerId, p -> new LinkedHashMap<>()).putAll(offsets);
    }

    /** Commits or discards the pending offsets of a transaction. */
    public void end(long producerId, boolean commit) {
        Map<TopicPartition, OffsetAndMetadata> ended = pending.remove(producerId);
        if (commit && ended != null) {
            committed.putAll(ended);
        }
    }

    /**
     * The committed offsets of those partitions that have one.
     *
     * @throws org.apache.kafka.common.errors.UnstableOffsetCommitException where an offset is pending; the client
     *     retries
     */
    public Map<TopicPartition, OffsetAndMetadata> fetch(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> found = new LinkedHashMap<>();
        for (TopicPartition partition : partitions) {
            if (pending.values().stream().anyMatch(offsets -> offsets.containsKey(partition))) {
                throw Errors.UNSTABLE_OFFSET_COMMIT.exception();
            }
            OffsetAndMetadata offset = committed.get(partition);
            if (offset != null) {
                found.put(partition, offset);
            }
        }
        return found;
    }
}
