package millrace.processor.rendering.tasks;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
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
    /** Partitions whose offset or starts may differ from what is committed. */
    private final Set<TopicPartition> moved = new LinkedHashSet<>();

    TaskOffsets(TaskConsumer consumer) {
        this.consumer = consumer;
    }

    void assigned(Collection<TopicPartition> assigned) {
        consumer.committed(assigned).forEach((partition, offset) -> {
            long position = offset == null ? consumer.position(partition) : offset.offset();
            partitions.put(partition, new PartitionTasks(position, offset == null ? null : offset.metadata()));
        });
    }

    /** Adds a task that was read. */
    void received(TopicPartition partition, long offset) {
        moving(partition).received(offset);
    }

    /** Number of starts of an unfinished task, by this or earlier workers. */
    int starts(TopicPartition partition, long offset) {
        return tasks(partition).starts(offset);
    }

    /** Counts a start, which must be committed before the task runs. */
    void starting(TopicPartition partition, long offset) {
        moving(partition).starting(offset);
    }

    /** Takes back the last start of a task that was interrupted. */
    void interrupted(TopicPartition partition, long offset) {
        moving(partition).interrupted(offset);
    }

    void forget(Collection<TopicPartition> gone) {
        gone.forEach(partitions::remove);
        gone.forEach(committed::remove);
        moved.removeAll(gone);
    }

    /** Marks a task as finished, unless its partition is no longer assigned. */
    void finished(TopicPartition partition, long offset) {
        if (partitions.containsKey(partition)) {
            moving(partition).finished(offset);
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
        moved.forEach(partition -> {
            PartitionTasks tasks = tasks(partition);
            var now = new OffsetAndMetadata(tasks.position(), tasks.metadata());
            if (!now.equals(committed.get(partition))) {
                changed.put(partition, now);
            }
        });
        moved.clear();
        if (changed.isEmpty()) {
            return true;
        }
        try {
            if (relaxed) {
                consumer.commitAsync(changed, (offsets, error) -> {
                    if (error != null) {
                        committed.keySet().removeAll(offsets.keySet());
                        offsets.keySet().stream()
                                .filter(partitions::containsKey)
                                .forEach(moved::add);
                    }
                });
            } else {
                consumer.commit(changed);
            }
        } catch (RetriableException | CommitFailedException | RebalanceInProgressException e) {
            LOG.warn("offset commit failed, it will be repeated error={}", e.getMessage());
            moved.addAll(changed.keySet());
            return false;
        }
        committed.putAll(changed);
        return true;
    }

    private PartitionTasks moving(TopicPartition partition) {
        PartitionTasks tasks = tasks(partition);
        moved.add(partition);
        return tasks;
    }

    private PartitionTasks tasks(TopicPartition partition) {
        PartitionTasks tasks = partitions.get(partition);
        if (tasks == null) {
            throw new IllegalStateException(partition + " is not assigned");
        }
        return tasks;
    }
}
