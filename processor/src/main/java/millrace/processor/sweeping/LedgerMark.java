package millrace.processor.sweeping;

import java.util.Map;

/**
 * Identifies the ledger whose report files a store has. A ledger with another history does not know which of the files
 * are needed.
 *
 * @param cluster id of the Kafka cluster
 * @param topic id of the topic of statuses
 * @param places the last record of each partition that has records
 */
record LedgerMark(String cluster, String topic, Map<Integer, Place> places) {

    /**
     * A record.
     *
     * @param time its timestamp in milliseconds since the epoch; after a restore another record may have the offset,
     *     but not the timestamp
     */
    record Place(long offset, long time) {}

    LedgerMark {
        places = Map.copyOf(places);
    }
}
