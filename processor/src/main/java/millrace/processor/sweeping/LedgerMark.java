package millrace.processor.sweeping;

import java.util.Map;

/**
 * Where the history of reports stood in one Kafka. A store keeps it beside the files: a ledger that has another history does not
 * know which of them are needed.
 *
 * @param cluster id of the Kafka cluster
 * @param topic id that the cluster gave the topic of statuses when it was made
 * @param places the last record of each partition that has any
 */
record LedgerMark(String cluster, String topic, Map<Integer, Place> places) {

    /**
     * A record.
     *
     * @param time its timestamp, epoch milliseconds: after a restore another record has the offset, and another time
     */
    record Place(long offset, long time) {}

    LedgerMark {
        places = Map.copyOf(places);
    }
}
