package millrace.processor.rendering.intake;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one partition's tasks: which are finished, so that the offset may move on, and how often each of the others
 * was started. The starts travel in the metadata of the committed offset, so that a task whose worker dies each time is
 * recognised by the next worker: {@code {distance from the offset}:{starts}}, joined by commas, numbers in base 36.
 */
final class PartitionTasks {
    private static final int RADIX = Character.MAX_RADIX;

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

    /** @param committed the offset to go on from, with the metadata that it was committed with */
    PartitionTasks(long committed, @Nullable String metadata) {
        this.next = committed;
        this.startsBefore = decode(committed, metadata);
    }

    /** A task was read; offsets ascend. */
    void received(long offset) {
        unfinished.put(offset, new Task(startsBefore.getOrDefault(offset, 0)));
        next = offset + 1;
    }

    /** How often this unfinished task was started, by this or earlier workers. */
    int starts(long offset) {
        return task(offset).starts;
    }

    /** To be made durable before the task really runs. */
    void starting(long offset) {
        Task task = task(offset);
        task.starts++;
        task.running = true;
    }

    /** Its end was not its own fault: this start does not count. */
    void interrupted(long offset) {
        Task task = unfinished.get(offset);
        if (task != null && task.running) {
            task.running = false;
            task.starts--;
        }
    }

    /** Its answer is safe. */
    void finished(long offset) {
        unfinished.remove(offset);
    }

    /** What may be committed: everything before it is finished. */
    long position() {
        return unfinished.isEmpty() ? next : unfinished.firstKey();
    }

    /** Goes with {@link #position()}. */
    String metadata() {
        var text = new StringBuilder();
        long position = position();
        Map<Long, Integer> starts = new TreeMap<>(startsBefore);
        starts.keySet().removeIf(offset -> offset < next);
        unfinished.forEach((offset, task) -> starts.put(offset, task.starts));
        starts.forEach((offset, count) -> {
            if (count > 0) {
                text.append(text.isEmpty() ? "" : ",")
                        .append(Long.toString(offset - position, RADIX))
                        .append(':')
                        .append(Integer.toString(count, RADIX));
            }
        });
        return text.toString();
    }

    private Task task(long offset) {
        Task task = unfinished.get(offset);
        if (task == null) {
            throw new IllegalStateException("no task at offset " + offset);
        }
        return task;
    }

    /** Metadata that somebody else wrote says nothing. */
    private static Map<Long, Integer> decode(long committed, @Nullable String metadata) {
        Map<Long, Integer> starts = new HashMap<>();
        if (metadata == null || !metadata.matches("[0-9a-z]{1,12}:[0-9a-z]{1,3}(,[0-9a-z]{1,12}:[0-9a-z]{1,3})*")) {
            return starts;
        }
        for (String entry : metadata.split(",", -1)) {
            int colon = entry.indexOf(':');
            starts.put(
                    committed + Long.parseLong(entry.substring(0, colon), RADIX),
                    Integer.parseInt(entry.substring(colon + 1), RADIX));
        }
        return starts;
    }
}
