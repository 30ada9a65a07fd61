package millrace.processor.ledger.commit;

import org.apache.kafka.streams.processor.api.Record;

/** A record that a step writes, and the topic that it is for. */
public record OutgoingRecord(String topic, Record<String, byte[]> record) {}
