package millrace.processor.rendering.intake;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import millrace.processor.rendering.worker.TaskExecution;
import org.apache.kafka.common.TopicPartition;

/** Tasks of one lane that wait to be handed over, in the turns of their accounts. For one thread. */
final class TaskQueue {
    /** Tasks read ahead; more wait in Kafka. Several times what one account has handed out, so that others are seen behind it. */
    private static final int MOST = 256;
    /** In their records, likewise. Decoded, texts of a few characters take four times as many. */
    static final int MOST_BYTES = 16 << 20;

    private final Deque<TaskExecution> waiting = new ArrayDeque<>();
    private final FairAccountOrder turns = new FairAccountOrder();

    void add(TaskExecution execution) {
        waiting.addLast(execution);
    }

    /** Whether it is time to read more. */
    boolean hasRoom() {
        return waiting.size() < MOST / 2
                && waiting.stream().mapToLong(TaskExecution::bytes).sum() < MOST_BYTES / 2;
    }

    /** Before all others. */
    void putBack(TaskExecution execution) {
        waiting.addFirst(execution);
    }

    /** Takes all out, in turn. */
    List<TaskExecution> takeAll() {
        List<TaskExecution> all =
                turns.order(waiting, execution -> execution.task().accountId());
        waiting.clear();
        return all;
    }

    /** A task of its account's is handed over: the others of it wait for their turn. */
    void handsOver(TaskExecution execution) {
        turns.took(execution.task().accountId());
    }

    /** Takes those of some partitions out. */
    List<TaskExecution> remove(Collection<TopicPartition> partitions) {
        List<TaskExecution> gone = waiting.stream()
                .filter(execution -> partitions.contains(execution.partition()))
                .toList();
        waiting.removeAll(gone);
        return gone;
    }

    Collection<TaskExecution> waiting() {
        return Collections.unmodifiableCollection(waiting);
    }
}
