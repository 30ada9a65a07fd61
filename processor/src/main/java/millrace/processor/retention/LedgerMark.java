package millrace.processor.retention;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the ledger whose report files a store has. A ledger with another history does not know which of the files
 * are needed.
 *
 * @param cluster id of the Kafka cluster
 * @param topic id of the topic of statuses
 * @param places the last record of each partition that has records
 * @param listedAt when the store was last listed for files that nobody needs; null where builds before v0.3.0 did
 */
record LedgerMark(
        String cluster,
        String topic,
        Map<Integer, Place> places,
        @Nullable Instant listedAt) {

    /**
     * A record.
     *
     * @param time its timestamp in milliseconds since the epoch; after a restore another record may have the offset,
     *     but not the timestamp
     */
    record Place(long offset, long time) {}

    LedgerMark {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(topic, "topic");
        places = Map.copyOf(places);
    }

    LedgerMark(String cluster, String topic, Map<Integer, Place> places) {
        this(cluster, topic, places, null);
    }

    LedgerMark listed(@Nullable Instant at) {
        return new LedgerMark(cluster, topic, places, at);
    }
}
