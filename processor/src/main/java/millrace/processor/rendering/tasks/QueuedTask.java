package millrace.processor.rendering.tasks;

import millrace.contracts.commands.RenderTask;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A task that was handed out, with the place of its record.
 *
 * @param handedOutAt when the ledger handed it out, in milliseconds since the epoch
 * @param traceparent W3C trace context of the report, or null
 * @param bytes size of its record
 */
record QueuedTask(
        RenderTask task,
        long handedOutAt,
        @Nullable String traceparent,
        int bytes,
        TopicPartition partition,
        long offset) {
    private static final TopicPartition NO_PARTITION = new TopicPartition("", -1);

    /** A task that was handed over in memory, and has no record in Kafka. */
    static QueuedTask inMemory(RenderTask task, long handedOutAt, @Nullable String traceparent, int bytes) {
        return new QueuedTask(task, handedOutAt, traceparent, bytes, NO_PARTITION, -1);
    }

    String accountId() {
        return task.accountId();
    }
}
