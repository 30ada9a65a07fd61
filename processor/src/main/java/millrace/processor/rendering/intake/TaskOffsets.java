package millrace.processor.rendering.intake;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tasks of the assigned partitions, and their committed offsets. For the consumer's thread only. */
final class TaskOffsets {
    private static final Logger LOG = LoggerFactory.getLogger(TaskOffsets.class);

    private final TaskConsumer consumer;
    private final Map<TopicPartition, PartitionTasks> partitions = new HashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();

    TaskOffsets(TaskConsumer consumer) {
        this.consumer = consumer;
    }

    void assigned(Collection<TopicPartition> assigned) {
        consumer.committed(assigned).forEach((partition, offset) -> {
            long position = offset == null ? consumer.position(partition) : offset.offset();
            partitions.put(partition, new PartitionTasks(position, offset == null ? null : offset.metadata()));
        });
    }

    void forget(Collection<TopicPartition> gone) {
        gone.forEach(partitions::remove);
        gone.forEach(committed::remove);
    }

    PartitionTasks tasks(TopicPartition partition) {
        PartitionTasks tasks = partitions.get(partition);
        if (tasks == null) {
            throw new IllegalStateException(partition + " is not assigned");
        }
        return tasks;
    }

    /** Marks a task as finished, unless its partition is no longer assigned. */
    void finished(TopicPartition partition, long offset) {
        PartitionTasks tasks = partitions.get(partition);
        if (tasks != null) {
            tasks.finished(offset);
        }
    }

    /**
     * Commits changed offsets and starts.
     *
     * @param relaxed whether the commit may be delayed
     * @return false where the commit failed and is to be repeated
     */
    boolean commit(boolean relaxed) {
        Map<TopicPartition, OffsetAndMetadata> changed = new HashMap<>();
        partitions.forEach((partition, tasks) -> {
            var now = new OffsetAndMetadata(tasks.position(), tasks.metadata());
            if (!now.equals(committed.get(partition))) {
                changed.put(partition, now);
            }
        });
        if (changed.isEmpty()) {
            return true;
        }
        try {
            if (relaxed) {
                consumer.commitAsync(changed, (offsets, error) -> {
                    if (error != null) {
                        committed.keySet().removeAll(offsets.keySet());
                    }
                });
            } else {
                consumer.commit(changed);
            }
        } catch (RetriableException | CommitFailedException | RebalanceInProgressException e) {
            LOG.warn("offset commit failed, it will be repeated error={}", e.getMessage());
            return false;
        }
        committed.putAll(changed);
        return true;
    }
}
