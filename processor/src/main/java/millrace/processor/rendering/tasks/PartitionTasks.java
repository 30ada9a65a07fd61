package millrace.processor.rendering.tasks;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import millrace.contracts.commands.TaskStarts;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the tasks of one partition: which are finished, so that the offset can move on, and how often each of the
 * others was started. The starts are committed as metadata of the offset, so that the next worker recognises a task
 * that kills its workers.
 */
final class PartitionTasks {
    private final TreeMap<Long, Task> unfinished = new TreeMap<>();
    private final Map<Long, Integer> startsBefore;
    private long next;

    private static final class Task {
        private int starts;
        private boolean running;

        Task(int starts) {
            this.starts = starts;
        }
    }

    /**
     * @param committed the offset to continue from
     * @param metadata of the committed offset
     */
    PartitionTasks(long committed, @Nullable String metadata) {
        this.next = committed;
        this.startsBefore = TaskStarts.parse(committed, metadata);
    }

    /** Adds a task that was read. Offsets must ascend. */
    void received(long offset) {
        unfinished.put(offset, new Task(startsBefore.getOrDefault(offset, 0)));
        next = offset + 1;
    }

    /** Number of starts of an unfinished task, by this or earlier workers. */
    int starts(long offset) {
        return task(offset).starts;
    }

    /** Counts a start, which must be committed before the task runs. */
    void starting(long offset) {
        Task task = task(offset);
        task.starts++;
        task.running = true;
    }

    /** Takes back the last start of a task that was interrupted. */
    void interrupted(long offset) {
        Task task = unfinished.get(offset);
        if (task != null && task.running) {
            task.running = false;
            task.starts--;
        }
    }

    /** Removes a task whose answer is acknowledged. */
    void finished(long offset) {
        unfinished.remove(offset);
    }

    /** The offset to commit: all tasks before it are finished. */
    long position() {
        return unfinished.isEmpty() ? next : unfinished.firstKey();
    }

    /** The metadata to commit with {@link #position()}. */
    String metadata() {
        SortedMap<Long, Integer> starts = new TreeMap<>(startsBefore);
        starts.keySet().removeIf(offset -> offset < next);
        unfinished.forEach((offset, task) -> starts.put(offset, task.starts));
        return TaskStarts.text(position(), starts);
    }

    private Task task(long offset) {
        Task task = unfinished.get(offset);
        if (task == null) {
            throw new IllegalStateException("no task at offset " + offset);
        }
        return task;
    }
}
