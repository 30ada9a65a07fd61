package millrace.gateway.copy;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.topics.Topic;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.RowBatch;
import millrace.gateway.copy.database.RowKey;
import millrace.gateway.copy.database.RowTable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The offsets that a database has read its topics up to, each with the leader epoch of the record before it. They are
 * rows of a table of its own, with topic and partition as key.
 */
public final class ReadOffsets {
    static final int NO_EPOCH = -1;

    private ReadOffsets() {}

    /**
     * The offset after the last record of each partition. Where markers of transactions follow, they are read again at
     * the next start: their epoch may be another one.
     *
     * @param topics that the database is a copy of; records of others are left out
     */
    public static Map<TopicPartition, OffsetAndMetadata> after(
            ConsumerRecords<String, byte[]> records, List<Topic<?>> topics) {
        Map<TopicPartition, OffsetAndMetadata> read = new HashMap<>();
        for (TopicPartition partition : records.partitions()) {
            if (CopiedTopics.isCopied(topics, partition)) {
                ConsumerRecord<String, byte[]> last = records.records(partition).getLast();
                read.put(partition, new OffsetAndMetadata(last.offset() + 1, last.leaderEpoch(), ""));
            }
        }
        return read;
    }

    /** The offsets so far, with newer ones in their place. */
    static Map<TopicPartition, OffsetAndMetadata> moved(
            Map<TopicPartition, OffsetAndMetadata> soFar, Map<TopicPartition, OffsetAndMetadata> newer) {
        Map<TopicPartition, OffsetAndMetadata> moved = new HashMap<>(soFar);
        moved.putAll(newer);
        return moved;
    }

    /**
     * What happened to a partition where the consumer has gone back, since the log is another one than what was read;
     * else null.
     *
     * @param read up to where
     * @param next the consumer's positions after the records
     */
    static @Nullable String diverged(
            Map<TopicPartition, OffsetAndMetadata> read,
            ConsumerRecords<String, byte[]> records,
            Map<TopicPartition, Long> next) {
        for (Map.Entry<TopicPartition, OffsetAndMetadata> partition : read.entrySet()) {
            long before = partition.getValue().offset();
            List<ConsumerRecord<String, byte[]>> some = records.records(partition.getKey());
            long now = some.isEmpty()
                    ? next.getOrDefault(partition.getKey(), before)
                    : some.getFirst().offset();
            if (now < before) {
                return partition.getKey() + " went back from offset " + before + " to " + now;
            }
        }
        return null;
    }

    /** Adds offsets to what is written. */
    public static void put(RowBatch rows, RowTable table, Map<TopicPartition, OffsetAndMetadata> next) {
        next.forEach((partition, offset) -> rows.put(
                RowKey.in(table).text(partition.topic()).number(partition.partition()),
                ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                        .putLong(offset.offset())
                        .putInt(offset.leaderEpoch().orElse(NO_EPOCH))
                        .array()));
    }

    /** The offsets that were written; partitions that nothing was read of are missing. */
    public static Map<TopicPartition, OffsetAndMetadata> of(LocalDatabase database, RowTable table) {
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        database.each(RowKey.in(table), (key, row) -> {
            ByteBuffer of = ByteBuffer.wrap(key).position(1);
            var partition = new TopicPartition(RowKey.text(of), of.getInt());
            ByteBuffer in = ByteBuffer.wrap(row);
            long offset = in.getLong();
            int epoch = in.getInt();
            positions.put(
                    partition,
                    new OffsetAndMetadata(offset, epoch == NO_EPOCH ? Optional.empty() : Optional.of(epoch), ""));
        });
        return positions;
    }
}
