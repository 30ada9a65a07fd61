package millrace.processor.repartition;

import java.util.Map;

/**
 * What is to be copied.
 *
 * @param topic by its own name, whatever the two are called
 * @param from name of the topic to read
 * @param fromPartitions its partitions
 * @param to name of the topic to write, which is empty
 * @param toPartitions its partitions
 * @param offsets what groups have committed in the topic that is read, by group and partition
 */
record CopiedTopic(
        String topic,
        String from,
        int fromPartitions,
        String to,
        int toPartitions,
        Map<String, Map<Integer, Commit>> offsets) {
    boolean movesKeys() {
        return fromPartitions != toPartitions;
    }
}
