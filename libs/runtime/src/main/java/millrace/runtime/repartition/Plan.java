package millrace.runtime.repartition;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * What is to be done, as far as Kafka tells.
 *
 * @param from number of partitions now
 * @param to number of partitions that is wanted
 * @param topics that exist, with the number of offsets in each
 * @param bytes that they take on the disks of all brokers
 * @param undecided commands that the ledger has not read yet
 * @param others by consumer group of other teams: topics, and how many offsets of each it has not read
 */
record Plan(
        int from,
        int to,
        SortedMap<String, Long> topics,
        long bytes,
        long undecided,
        SortedMap<String, Map<String, Long>> others) {
    /** Of all topics. */
    public long offsets() {
        return topics.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How many offsets are to be read: each is read to copy it and to compare the copy, and that twice. */
    public long reads() {
        return 4 * offsets();
    }

    /** The plan in sentences for the operator. */
    public List<String> sentences() {
        return PlanText.of(this);
    }
}
