package millrace.gateway.copy.reports;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.CopiedTopics;
import millrace.gateway.copy.ReadOffsets;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.RowBatch;
import millrace.gateway.copy.database.RowKey;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The topics that the ledger writes and the read model is a copy of, as they are at the moment, and how far the copy
 * has come.
 *
 * @param tombstonesKept how long Kafka keeps a tombstone at least
 */
record TopicState(CopiedTopics topics, Duration tombstonesKept) {
    static final List<Topic<?>> TOPICS = List.of(Topics.ACCOUNT_STATE, Topics.REPORT_STATUS, Topics.REPORT_REQUESTS);

    /** Clocks of machines differ, and records are written some time before they are read. */
    private static final Duration MARGIN = Duration.ofHours(1);

    private static final RowKey WRITTEN = RowKey.in(ReportTable.META).text("written");

    /** Adds where reading goes on to what is written. */
    static void put(RowBatch rows, Map<TopicPartition, OffsetAndMetadata> next, long now) {
        ReadOffsets.put(rows, ReportTable.OFFSETS, next);
        if (!next.isEmpty()) {
            rows.put(WRITTEN, StoredReports.number(now));
        }
    }

    /** Where reading goes on; partitions that nothing was read of are missing. */
    static Map<TopicPartition, OffsetAndMetadata> positions(LocalDatabase database) {
        return ReadOffsets.of(database, ReportTable.OFFSETS);
    }

    /** Why rows that fit the topics have to be made again, or null. */
    @Nullable
    String unfit(LocalDatabase database, Instant now) {
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
}
