package millrace.processor.rendering.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TaskQueueTest {
    private static final TopicPartition PARTITION = new TopicPartition("slices", 0);

    private final TaskQueue queue = new TaskQueue();

    @Test
    void manySmallTasksFillIt() {
        for (int i = 0; i < 127; i++) {
            queue.add(task(i, 100));
        }
        assertThat(queue.hasRoom()).isTrue();
        queue.add(task(127, 100));
        assertThat(queue.hasRoom()).isFalse();
    }

    @Test
    void fewLargeTasksFillIt() {
        for (int i = 0; i < 7; i++) {
            queue.add(task(i, TaskQueue.MOST_BYTES / 16));
        }
        assertThat(queue.hasRoom()).isTrue();
        queue.putBack(task(7, TaskQueue.MOST_BYTES / 16));
        assertThat(queue.hasRoom()).isFalse();
    }

    @Test
    void whatIsTakenOutLeavesRoom() {
        queue.add(task(0, TaskQueue.MOST_BYTES));
        queue.takeAll();
        assertThat(queue.hasRoom()).isTrue();
        queue.add(task(1, TaskQueue.MOST_BYTES));
        queue.remove(Set.of(PARTITION));
        assertThat(queue.hasRoom()).isTrue();
    }

    private static QueuedTask task(int number, int bytes) {
        var task = new RenderTask.Assemble("acme", new SliceRef(new UUID(0, number), 1, 0, 1), List.of());
        return new QueuedTask(task, 0, null, bytes, PARTITION, number);
    }
}
