package millrace.processor.repartition;

import java.util.List;
import java.util.function.IntToLongFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** What is other in a copy of a topic than in the topic, since it is about partitions or offsets. */
interface RecordChange {
    /** Nothing is. */
    RecordChange NONE = new RecordChange() {};

    /** Called with each record, in its order. Returns false if it is to be left out. */
    default boolean keeps(ConsumerRecord<byte[], byte[]> record) {
        return true;
    }

    /** The value to write. */
    default byte @Nullable [] value(ConsumerRecord<byte[], byte[]> record) {
        return record.value();
    }

    /** The record has got an offset in a partition of the copy. */
    default void copied(ConsumerRecord<byte[], byte[]> record, int partition, long offset) {}

    /** All records are copied. */
    default void ended(IntToLongFunction ends) {}

    /** What follows the last record of a partition. */
    default List<Addition> additions(int partition) {
        return List.of();
    }

    /** A record that no record is the source of. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Addition(byte[] key, byte[] value, long timestamp) {}
}
