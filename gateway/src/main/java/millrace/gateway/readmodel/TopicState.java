package millrace.gateway.readmodel;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.database.LocalDatabase;
import millrace.gateway.database.RowBatch;
import millrace.gateway.database.RowKey;
import millrace.gateway.database.Rows;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The topics that the ledger writes and the read model is a copy of, as they are at the moment, and how far the copy
 * has come.
 *
 * @param identity of the cluster and the topics: others of the same names have another one, and the same with more
 *     partitions
 * @param first the first offset of each partition
 * @param ends the offset after the last record
 * @param epochs the newest leader epoch of each partition
 * @param tombstonesKept how long Kafka keeps a tombstone at least
 */
record TopicState(
        String identity,
        Map<TopicPartition, Long> first,
        Map<TopicPartition, Long> ends,
        Map<TopicPartition, Integer> epochs,
        Duration tombstonesKept) {
    static final List<Topic<?>> TOPICS = List.of(Topics.ACCOUNT_STATE, Topics.REPORT_STATUS, Topics.REPORT_REQUESTS);

    /** Clocks of machines differ, and records are written some time before they are read. */
    private static final Duration MARGIN = Duration.ofHours(1);

    private static final int NO_EPOCH = -1;
    private static final RowKey WRITTEN = RowKey.in(ReportTable.META).text("written");

    /** Adds where reading goes on to what is written. */
    static void put(RowBatch rows, Map<TopicPartition, OffsetAndMetadata> next, long now) {
        next.forEach((partition, offset) -> rows.put(
                key(partition),
                ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                        .putLong(offset.offset())
                        .putInt(offset.leaderEpoch().orElse(NO_EPOCH))
                        .array()));
        if (!next.isEmpty()) {
            rows.put(WRITTEN, StoredReports.number(now));
        }
    }

    /** Where reading goes on; partitions that nothing was read of are missing. */
    static Map<TopicPartition, OffsetAndMetadata> positions(LocalDatabase database) {
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        try (Rows rows = database.all(RowKey.in(ReportTable.OFFSETS))) {
            for (; rows.present(); rows.next()) {
                ByteBuffer key = ByteBuffer.wrap(rows.key()).position(1);
                var partition = new TopicPartition(RowKey.text(key), key.getInt());
                ByteBuffer row = ByteBuffer.wrap(rows.value());
                long offset = row.getLong();
                int epoch = row.getInt();
                positions.put(
                        partition,
                        new OffsetAndMetadata(offset, epoch == NO_EPOCH ? Optional.empty() : Optional.of(epoch), ""));
            }
        }
        return positions;
    }

    /** Why the copy has to be made again, or null. Whether the log has diverged, the consumer tells later. */
    @Nullable
    String unfit(LocalDatabase database, Instant now) {
        for (Map.Entry<TopicPartition, OffsetAndMetadata> read :
                positions(database).entrySet()) {
            long next = read.getValue().offset();
            long begin = first.getOrDefault(read.getKey(), 0L);
            long end = ends.getOrDefault(read.getKey(), 0L);
            if (next < begin || next > end) {
                return read.getKey() + " was read up to offset " + next + ", and has " + begin + " to " + end;
            }
            int epoch = read.getValue().leaderEpoch().orElse(NO_EPOCH);
            int newest = epochs.getOrDefault(read.getKey(), epoch);
            if (epoch > newest) { // the consumer would wait for a leader of that epoch
                return read.getKey() + " was read in leader epoch " + epoch + ", and its newest is " + newest;
            }
        }
        byte[] written = database.get(WRITTEN);
        return written == null
                ? null
                : aged(Instant.ofEpochMilli(ByteBuffer.wrap(written).getLong()), now);
    }

    private @Nullable String aged(Instant written, Instant now) {
        if (written.isAfter(now.plus(MARGIN))) {
            return "it was written at " + written + ", which has not come yet by this gateway's clock";
        }
        return written.plus(tombstonesKept).minus(MARGIN).isAfter(now)
                ? null
                : "it was written last at " + written + ", and Kafka keeps tombstones for " + tombstonesKept;
    }

    private static RowKey key(TopicPartition partition) {
        return RowKey.in(ReportTable.OFFSETS).text(partition.topic()).number(partition.partition());
    }

    /** Whether the rows are made from its records. */
    static boolean isCopied(TopicPartition partition) {
        return TOPICS.stream().anyMatch(topic -> topic.name().equals(partition.topic()));
    }
}
