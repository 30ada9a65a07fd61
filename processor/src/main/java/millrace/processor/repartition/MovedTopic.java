package millrace.processor.repartition;

import java.util.List;
import java.util.Map;
import millrace.processor.repartition.TopicCopy.Copied;
import org.jspecify.annotations.Nullable;

/**
 * A topic as it was, and what has become of it.
 *
 * @param id of the topic before
 * @param config what is set on the topic itself
 * @param ends of its partitions
 * @param offsets what groups had committed, by group and partition
 * @param backup the copy; null until it is there
 * @param switched the topic made anew; null until it is there
 */
record MovedTopic(
        String id,
        int replication,
        Map<String, String> config,
        List<Long> ends,
        Map<String, Map<Integer, Commit>> offsets,
        @Nullable Copied backup,
        @Nullable Copied switched) {
    private static final String KEY = "topic/";

    MovedTopic {
        config = Map.copyOf(config);
        ends = List.copyOf(ends);
        offsets = Map.copyOf(offsets);
    }

    /** Its key in the log. */
    static String key(String topic) {
        return KEY + topic;
    }

    MovedTopic backedUp(Copied copy) {
        return new MovedTopic(id, replication, config, ends, offsets, copy, switched);
    }

    MovedTopic switched(@Nullable Copied copy) {
        return new MovedTopic(id, replication, config, ends, offsets, backup, copy);
    }
}
