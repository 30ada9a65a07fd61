package millrace.processor.repartition;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import millrace.contracts.topics.ConsumerGroups;

/**
 * What a group has committed in a topic, translated to a copy of the topic while that is written. Everything that the
 * group had not read is behind the new offset. If a new partition has records of one old partition, or the order of
 * {@link #level} was kept, nothing else is. Not thread-safe.
 */
final class MovedOffsets {
    /** The level of partitions in which the group has committed nothing: not below any other. */
    private static final int NEVER_READ = 2;

    private final Map<Integer, Commit> before;
    private final CommitMetadata metadata;
    private final boolean ordered;
    private final boolean samePartitions;
    private final Map<Integer, Long> first = new TreeMap<>();
    private final Map<Integer, List<Long>> bounds = new TreeMap<>();

    private MovedOffsets(
            Map<Integer, Commit> before, CommitMetadata metadata, boolean ordered, boolean samePartitions) {
        this.before = before;
        this.metadata = metadata;
        this.ordered = ordered;
        this.samePartitions = samePartitions;
        before.forEach((partition, commit) -> bounds.put(
                partition,
                Stream.concat(Stream.of(commit.offset()), metadata.bounds(partition).stream())
                        .toList()));
    }

    /**
     * @param before by partition
     * @param from number of partitions of the topic
     * @param to number of partitions of its copy
     * @throws IllegalArgumentException if it cannot be translated
     */
    static MovedOffsets of(String group, Map<Integer, Commit> before, int from, int to) {
        boolean same = from == to;
        return switch (group) {
            case ConsumerGroups.NOTIFIERS ->
                new MovedOffsets(before, new CommitMetadata.OpenEvents(before), true, same);
            case ConsumerGroups.RENDERERS, ConsumerGroups.SMALL_RENDERERS ->
                new MovedOffsets(before, new CommitMetadata.StartedTasks(before), true, same);
            case ConsumerGroups.ANNOUNCERS ->
                new MovedOffsets(before, new CommitMetadata.UnfinishedAnnouncements(before, to), true, same);
            // What Kafka Streams keeps there is the time of its partition, and is found again.
            case ConsumerGroups.PROCESSOR, ConsumerGroups.FILE_DELETERS ->
                new MovedOffsets(before, new KeptMetadata(before, same), true, same);
            default -> new MovedOffsets(before, new KeptMetadata(before, same), false, same);
        };
    }

    /** Whose text has a meaning that is not known here. */
    private record KeptMetadata(Map<Integer, Commit> before, boolean same) implements CommitMetadata {
        @Override
        public String of(int to, long committed) {
            Commit commit = same ? before.get(to) : null;
            return commit == null ? "" : commit.metadata();
        }
    }

    /**
     * How many of the group's bounds an offset has passed. Records of a lower level are to be copied before those of a
     * higher one. Always 0 for groups of other teams, whose records are copied in the order of time.
     */
    int level(int partition, long offset) {
        if (!ordered) {
            return 0;
        }
        List<Long> passed = bounds.get(partition);
        return passed == null
                ? NEVER_READ
                : (int) passed.stream().filter(bound -> offset >= bound).count();
    }

    /** A record was copied. The new offsets of a partition ascend. */
    void copied(int from, long offset, int to, long newOffset) {
        Commit commit = before.get(from);
        if (commit == null || offset >= commit.offset()) {
            first.putIfAbsent(to, newOffset);
        }
        long committed = first.getOrDefault(to, newOffset + 1);
        metadata.copied(from, offset, to, newOffset, committed);
    }

    /**
     * What the group is to commit in the copy.
     *
     * @param to number of its partitions
     * @param ends of its partitions
     */
    Map<Integer, Commit> result(int to, IntToLongFunction ends) {
        Map<Integer, Commit> after = new TreeMap<>();
        for (int partition = 0; partition < to; partition++) {
            if (!samePartitions || before.containsKey(partition)) {
                long committed = first.getOrDefault(partition, ends.applyAsLong(partition));
                after.put(partition, new Commit(committed, metadata.of(partition, committed)));
            }
        }
        return after;
    }
}
