package millrace.processor.repartition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import millrace.contracts.commands.TaskStarts;
import millrace.contracts.delivery.OpenOffsets;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MovedOffsetsTest {
    private static final String OTHERS = "analytics";

    /** A record of the topic that is copied: where it was, and where it goes. */
    private record Moving(int from, long offset, int to) {}

    private record Place(int partition, long offset) {}

    /** Two partitions of ten records each; those with even offsets go to 0, the others to 1. */
    private static List<Moving> twoPartitions() {
        return Stream.of(0, 1)
                .flatMap(from ->
                        LongStream.range(0, 10).mapToObj(offset -> new Moving(from, offset, (int) (offset % 2))))
                .toList();
    }

    private static final class Copy {
        final MovedOffsets moved;
        final Map<Moving, Place> places;
        final Map<Integer, Commit> result;

        Copy(String group, Map<Integer, Commit> before) {
            this(group, before, 2, 3, twoPartitions());
        }

        Copy(String group, Map<Integer, Commit> before, int from, int to, List<Moving> records) {
            moved = MovedOffsets.of(group, before, from, to);
            List<Moving> ordered = new ArrayList<>(records);
            ordered.sort(Comparator.comparingInt((Moving record) -> moved.level(record.from(), record.offset()))
                    .thenComparingLong(Moving::offset));
            var next = new long[to];
            places = new HashMap<>();
            for (Moving record : ordered) {
                long offset = next[record.to()]++;
                places.put(record, new Place(record.to(), offset));
                moved.copied(record.from(), record.offset(), record.to(), offset);
            }
            result = moved.result(to, partition -> next[partition]);
        }

        Commit at(int partition) {
            return Objects.requireNonNull(result.get(partition));
        }

        Place place(Moving record) {
            return Objects.requireNonNull(places.get(record));
        }

        /** Those that the group would read now. */
        List<Moving> unread() {
            return places.entrySet().stream()
                    .filter(record -> record.getValue().offset()
                            >= at(record.getValue().partition()).offset())
                    .map(Map.Entry::getKey)
                    .sorted(Comparator.comparingInt(Moving::from).thenComparingLong(Moving::offset))
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ConsumerGroups.PROCESSOR,
                ConsumerGroups.FILE_DELETERS,
                ConsumerGroups.RENDERERS,
                ConsumerGroups.SMALL_RENDERERS,
                ConsumerGroups.NOTIFIERS,
                ConsumerGroups.ANNOUNCERS
            })
    void ownGroupsReadExactlyWhatTheyHadNotRead(String group) {
        var copy = new Copy(group, Map.of(0, new Commit(7, ""), 1, new Commit(2, "")));
        assertThat(copy.unread()).isEqualTo(unread(Map.of(0, 7L, 1, 2L)));
        assertThat(copy.result).containsOnlyKeys(0, 1, 2);
        assertThat(copy.result.get(2)).isEqualTo(new Commit(0, ""));
    }

    @Test
    void aPartitionWithoutACommitIsReadFromItsBeginning() {
        var copy = new Copy(ConsumerGroups.PROCESSOR, Map.of(0, new Commit(10, "")));
        assertThat(copy.unread()).isEqualTo(unread(Map.of(0, 10L, 1, 0L)));
    }

    /** Their records keep the order of time, so some may come twice, and none is missed. */
    @Test
    void groupsOfOtherTeamsMissNothing() {
        var copy = new Copy(OTHERS, Map.of(0, new Commit(7, "mine"), 1, new Commit(2, "")));
        assertThat(copy.unread()).containsAll(unread(Map.of(0, 7L, 1, 2L)));
        assertThat(copy.result.values()).allMatch(commit -> commit.metadata().isEmpty());
    }

    @Test
    void withTheSameNumberOfPartitionsCommitsOfOtherTeamsKeepTheirMetadataAndNoneAreAdded() {
        List<Moving> holes =
                Stream.of(3L, 5L, 9L).map(offset -> new Moving(1, offset, 1)).toList();
        var copy = new Copy(OTHERS, Map.of(1, new Commit(6, "mine")), 2, 2, holes);
        assertThat(copy.result).isEqualTo(Map.of(1, new Commit(2, "mine")));
    }

    @Test
    void eventsThatWereReleasedStayReleased() {
        Map<Integer, Commit> before = Map.of(
                0, new Commit(3, new OpenOffsets(4, bits(0, 3)).text()),
                1, new Commit(6, ""));
        var copy = new Copy(ConsumerGroups.NOTIFIERS, before);
        List<Moving> open = new ArrayList<>();
        copy.places.forEach((record, place) -> {
            Commit commit = copy.at(place.partition());
            OpenOffsets known = OpenOffsets.parse(commit.metadata()).orElse(new OpenOffsets(0, new BitSet()));
            long distance = place.offset() - commit.offset();
            if (distance >= 0 && (distance >= known.above() || known.open().get((int) distance))) {
                open.add(record);
            }
        });
        List<Moving> expected = twoPartitions().stream()
                .filter(record -> record.from() == 1
                        ? record.offset() >= 6
                        : record.offset() >= 7 || record.offset() == 3 || record.offset() == 6)
                .toList();
        assertThat(open).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void startsAreThoseOfTheSameTasks() {
        Map<Integer, Commit> before = Map.of(
                0, new Commit(4, TaskStarts.text(4, new TreeMap<>(Map.of(4L, 1, 9L, 2)))),
                1, new Commit(8, TaskStarts.text(8, new TreeMap<>(Map.of(9L, 3)))));
        var copy = new Copy(ConsumerGroups.RENDERERS, before);
        Map<Place, Integer> starts = new HashMap<>();
        copy.result.forEach((partition, commit) -> TaskStarts.parse(commit.offset(), commit.metadata())
                .forEach((offset, count) -> starts.put(new Place(partition, offset), count)));
        assertThat(starts)
                .isEqualTo(Map.of(
                        copy.place(new Moving(0, 4, 0)), 1,
                        copy.place(new Moving(0, 9, 1)), 2,
                        copy.place(new Moving(1, 9, 1)), 3));
    }

    @Test
    void anUnfinishedAnnouncementGoesWithItsDataset() {
        int partition = Topic.partition("keywords", 3);
        var copy =
                new Copy(ConsumerGroups.ANNOUNCERS, Map.of(0, new Commit(1, "keywords acme/1"), 1, new Commit(10, "")));
        assertThat(copy.at(partition).metadata()).isEqualTo("keywords acme/1");
        assertThatThrownBy(() -> MovedOffsets.of(
                        ConsumerGroups.ANNOUNCERS,
                        Map.of(0, new Commit(1, "keywords a"), 1, new Commit(1, "site_keywords b")),
                        2,
                        1))
                .hasMessageContaining("not with all subscribers yet")
                .hasMessageContaining("keywords");
    }

    private static List<Moving> unread(Map<Integer, Long> committed) {
        return twoPartitions().stream()
                .filter(record -> record.offset() >= committed.getOrDefault(record.from(), 0L))
                .toList();
    }

    private static BitSet bits(int... set) {
        var bits = new BitSet();
        for (int bit : set) {
            bits.set(bit);
        }
        return bits;
    }
}
