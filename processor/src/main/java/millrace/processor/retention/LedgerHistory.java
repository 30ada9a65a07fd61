package millrace.processor.retention;

import java.util.HashMap;
import java.util.Map;
import millrace.processor.retention.LedgerMark.Place;
import org.jspecify.annotations.Nullable;

/**
 * Compares the topic of statuses, while it is read, with the mark that the store keeps of it, and builds the next mark.
 * Pure.
 */
final class LedgerHistory {
    private final String cluster;
    private final String topic;
    private final Map<Integer, Place> before;
    private final Map<Integer, Place> last = new HashMap<>();

    /**
     * @param before the mark of the store, null where it has none
     * @throws SweepRefusedException where the mark is of another Kafka
     */
    LedgerHistory(String cluster, String topic, @Nullable LedgerMark before) throws SweepRefusedException {
        this.cluster = cluster;
        this.topic = topic;
        this.before = before == null ? Map.of() : before.places();
        if (before != null && !before.cluster().equals(cluster)) {
            throw refused("it belongs to the ledger of Kafka cluster " + before.cluster() + ", and this is cluster "
                    + cluster);
        }
        if (before != null && !before.topic().equals(topic)) {
            throw refused("the topic with the statuses of its reports has been deleted and made anew");
        }
    }

    /** @throws SweepRefusedException where the record is not the one of the last sweep */
    void read(int partition, long offset, long time) throws SweepRefusedException {
        Place there = before.get(partition);
        if (there != null && there.offset() == offset && there.time() != time) {
            throw earlier();
        }
        last.put(partition, new Place(offset, time));
    }

    /**
     * The mark to keep from now on.
     *
     * @param ends end offsets of all partitions
     * @throws SweepRefusedException where a partition ends before its record of the last sweep
     */
    LedgerMark read(Map<Integer, Long> ends) throws SweepRefusedException {
        for (Map.Entry<Integer, Place> there : before.entrySet()) {
            if (ends.getOrDefault(there.getKey(), 0L) <= there.getValue().offset()) {
                throw earlier();
            }
        }
        return new LedgerMark(cluster, topic, last);
    }

    private static SweepRefusedException earlier() {
        return refused(
                "Kafka has lost what it held when the store was swept last, as after a restore to an earlier point");
    }

    private static SweepRefusedException refused(String why) {
        return new SweepRefusedException(
                why + ". Each Kafka needs a report store of its own (storage.reports). If this one"
                        + " has taken the other's place for good, delete the file " + LedgerMarkFile.NAME
                        + " from the store: then what"
                        + " this ledger does not know is deleted");
    }
}
