package millrace.processor.rendering.tasks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/** The tasks of one lane that wait for a worker, ordered by {@link FairAccountOrder}. Not thread-safe. */
final class TaskQueue {
    /**
     * Limit of tasks that are read ahead. It is several times what one account may have in flight, so that tasks of
     * others are found behind them.
     */
    private static final int MOST = 256;
    /** Limit of the encoded size of these tasks. Decoded, short texts take four times as much. */
    static final int MOST_BYTES = 16 << 20;

    private final Deque<QueuedTask> waiting = new ArrayDeque<>();
    private final FairAccountOrder turns = new FairAccountOrder();

    void add(QueuedTask task) {
        waiting.addLast(task);
    }

    /** Whether more tasks should be read. */
    boolean hasRoom() {
        return waiting.size() < MOST / 2
                && waiting.stream().mapToLong(QueuedTask::bytes).sum() < MOST_BYTES / 2;
    }

    /** Puts a task before all others. */
    void putBack(QueuedTask task) {
        waiting.addFirst(task);
    }

    /** Removes and returns all tasks, in order. */
    List<QueuedTask> takeAll() {
        List<QueuedTask> all = turns.order(waiting, QueuedTask::accountId);
        waiting.clear();
        return all;
    }

    /** To be called when a task is handed over; other tasks of its account come later then. */
    void handsOver(QueuedTask task) {
        turns.took(task.accountId());
    }

    /** Removes and returns the tasks of some partitions. */
    List<QueuedTask> remove(Collection<TopicPartition> partitions) {
        List<QueuedTask> gone = new ArrayList<>(waiting);
        gone.removeIf(task -> !partitions.contains(task.partition()));
        waiting.removeIf(task -> partitions.contains(task.partition()));
        return gone;
    }

    Collection<QueuedTask> waiting() {
        return Collections.unmodifiableCollection(waiting);
    }
}
