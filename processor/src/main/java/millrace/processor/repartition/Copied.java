package millrace.processor.repartition;

import java.util.List;
import java.util.Map;

/**
 * A topic was copied, and the copy read again.
 *
 * @param records in the copy
 * @param bytes of their keys and values
 * @param readSum of the records as they were read
 * @param writtenSum of the records as they were written
 * @param ends of the partitions of the copy
 * @param offsets what groups have to commit in the copy, by group and partition
 */
record Copied(
        long records,
        long bytes,
        long readSum,
        long writtenSum,
        List<Long> ends,
        Map<String, Map<Integer, Commit>> offsets) {
    public Copied {
        ends = List.copyOf(ends);
        offsets = Map.copyOf(offsets);
    }
}
