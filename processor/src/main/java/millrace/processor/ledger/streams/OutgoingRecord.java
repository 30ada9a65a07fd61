package millrace.processor.ledger.streams;

import millrace.contracts.commands.RenderTask;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * A record that a step writes, and the topic that it is for.
 *
 * @param task that it hands out, or null
 */
public record OutgoingRecord(
        String topic,
        Record<String, byte[]> record,
        @Nullable RenderTask task) {
    /** A record that hands out no task. */
    public OutgoingRecord(String topic, Record<String, byte[]> record) {
        this(topic, record, null);
    }
}
