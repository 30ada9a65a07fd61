package millrace.simulation.kafka.broker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** The log of one partition: records, and the markers that end transactions, each with an offset of its own. */
final class PartitionLog {
    private final TopicPartition partition;
    private final List<Entry> entries = new ArrayList<>();
    /** The open transactions by producer id, in the order of their first offsets. */
    private final SequencedMap<Long, Span> open = new LinkedHashMap<>();

    /** The records of one transaction in this partition. */
    private static final class Span {
        private final long firstOffset;
        private boolean aborted;

        private Span(long firstOffset) {
            this.firstOffset = firstOffset;
        }
    }

    /** @param record null for a marker */
    private record Entry(
            @Nullable ConsumerRecord<String, byte[]> record,
            @Nullable Span transaction) {}

    PartitionLog(TopicPartition partition) {
        this.partition = partition;
    }

    /** The offset of the next entry. */
    long end() {
        return entries.size();
    }

    /** The first offset of an open transaction, or the end. */
    long lastStable() {
        return open.isEmpty() ? end() : open.firstEntry().getValue().firstOffset;
    }

    /**
     * Appends a record and returns its offset.
     *
     * @param transaction the producer id, where the record is part of a transaction; else null
     */
    long append(ProducerRecord<String, byte[]> record, long timestamp, @Nullable Long transaction) {
        long offset = end();
        Span span = transaction == null ? null : open.computeIfAbsent(transaction, p -> new Span(offset));
        String key = record.key();
        byte[] value = record.value();
        var stored = new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                offset,
                timestamp,
                TimestampType.CREATE_TIME,
                key == null ? ConsumerRecord.NULL_SIZE : key.length(),
                value == null ? ConsumerRecord.NULL_SIZE : value.length,
                key,
                value,
                record.headers(),
                Optional.empty());
        entries.add(new Entry(stored, span));
        return offset;
    }

    /** Ends the transaction of a producer with a marker. */
    void mark(long producerId, boolean committed) {
        Span span = open.remove(producerId);
        if (span != null) {
            span.aborted = !committed;
        }
        entries.add(new Entry(null, null));
    }

    /**
     * Reads records from an offset on.
     *
     * @param most greatest number of records
     */
    FetchResult read(long from, boolean committedOnly, int most) {
        long limit = committedOnly ? lastStable() : end();
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        long next = from;
        while (next < limit && records.size() < most) {
            Entry entry = entries.get((int) next++);
            boolean aborted = entry.transaction() != null && entry.transaction().aborted;
            if (entry.record() != null && !(committedOnly && aborted)) {
                records.add(entry.record());
            }
        }
        return new FetchResult(from, records, next);
    }
}
