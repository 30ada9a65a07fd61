package millrace.processor.repartition;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import millrace.contracts.commands.TaskStarts;
import millrace.contracts.delivery.OpenOffsets;
import millrace.contracts.topics.Topic;

/** The metadata of a group's commits in one topic, which speak of offsets in a form of the group's own. */
interface CommitMetadata {
    /**
     * A record was copied.
     *
     * @param committed by the group, in the new partition
     */
    default void copied(int from, long offset, int to, long newOffset, long committed) {}

    /** The metadata of the commit in a new partition. */
    String of(int to, long committed);

    /**
     * Offsets of a partition between which the metadata differ in kind. What is before one of them in any partition is
     * copied before what is behind it in another.
     */
    default List<Long> bounds(int from) {
        return List.of();
    }

    /** Which events the notifiers had neither delivered nor saved. */
    final class OpenEvents implements CommitMetadata {
        private final Map<Integer, Commit> before;
        private final Map<Integer, OpenOffsets> known = new HashMap<>();
        private final Map<Integer, Long> above = new HashMap<>();
        private final Map<Integer, BitSet> open = new HashMap<>();

        OpenEvents(Map<Integer, Commit> before) {
            this.before = before;
            before.forEach((partition, commit) ->
                    OpenOffsets.parse(commit.metadata()).ifPresent(offsets -> known.put(partition, offsets)));
        }

        @Override
        public void copied(int from, long offset, int to, long newOffset, long committed) {
            Commit commit = before.get(from);
            OpenOffsets offsets = known.get(from);
            if (commit == null || offsets == null) {
                return;
            }
            long distance = offset - commit.offset();
            if (distance >= 0 && distance < offsets.above()) {
                above.put(to, newOffset + 1 - committed);
                if (offsets.open().get(Math.toIntExact(distance))) {
                    open.computeIfAbsent(to, partition -> new BitSet()).set(Math.toIntExact(newOffset - committed));
                }
            }
        }

        @Override
        public String of(int to, long committed) {
            return Optional.ofNullable(above.get(to))
                    .map(number -> new OpenOffsets(number, open.getOrDefault(to, new BitSet())).text())
                    .orElse("");
        }

        @Override
        public List<Long> bounds(int from) {
            Commit commit = before.get(from);
            OpenOffsets offsets = known.get(from);
            // Also without metadata: what was never read must not come between what was.
            return commit == null ? List.of() : List.of(commit.offset() + (offsets == null ? 0 : offsets.above()));
        }
    }

    /** How often render workers had started tasks that did not end. */
    final class StartedTasks implements CommitMetadata {
        private final Map<Integer, Map<Long, Integer>> before = new HashMap<>();
        private final Map<Integer, TreeMap<Long, Integer>> starts = new HashMap<>();

        StartedTasks(Map<Integer, Commit> before) {
            before.forEach((partition, commit) ->
                    this.before.put(partition, TaskStarts.parse(commit.offset(), commit.metadata())));
        }

        @Override
        public void copied(int from, long offset, int to, long newOffset, long committed) {
            Integer count = before.getOrDefault(from, Map.of()).get(offset);
            if (count != null) {
                starts.computeIfAbsent(to, partition -> new TreeMap<>()).put(newOffset, count);
            }
        }

        @Override
        public String of(int to, long committed) {
            return TaskStarts.text(committed, starts.getOrDefault(to, new TreeMap<>()));
        }
    }

    /**
     * How far announcers had given an announcement to subscribers: {@code {dataset} {subscriber}}, in the partition of
     * the dataset.
     */
    final class UnfinishedAnnouncements implements CommitMetadata {
        private final Map<Integer, String> texts = new HashMap<>();

        /** @throws IllegalArgumentException if a new partition would have two of them */
        UnfinishedAnnouncements(Map<Integer, Commit> before, int to) {
            before.values().forEach(commit -> {
                int end = commit.metadata().indexOf(' ');
                if (end > 0) {
                    String dataset = commit.metadata().substring(0, end);
                    String other = texts.put(Topic.partition(dataset, to), commit.metadata());
                    if (other != null) {
                        throw new IllegalArgumentException(
                                "announcements of new data are not with all subscribers yet: " + dataset + " and "
                                        + other.substring(0, other.indexOf(' ')));
                    }
                }
            });
        }

        @Override
        public String of(int to, long committed) {
            return texts.getOrDefault(to, "");
        }
    }
}
