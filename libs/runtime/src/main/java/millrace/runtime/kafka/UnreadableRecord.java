package millrace.runtime.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;

/** What a reader of a topic does with a record that it cannot read: it logs and skips it. */
public final class UnreadableRecord {
    private UnreadableRecord() {}

    /** @param log of the reader */
    public static void skipped(Logger log, ConsumerRecord<?, ?> record, Exception error) {
        log.warn(
                "record skipped topic={} partition={} offset={} error={}",
                record.topic(),
                record.partition(),
                record.offset(),
                error.toString());
    }
}
