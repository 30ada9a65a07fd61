package millrace.processor.repartition;

import java.util.List;

/** The metadata of a group's commits in one topic, which speak of offsets in a form of the group's own. */
interface CommitMetadata {
    /**
     * A record was copied.
     *
     * @param committed by the group, in the new partition
     */
    void copied(int from, long offset, int to, long newOffset, long committed);

    /** The metadata of the commit in a new partition. */
    String of(int to, long committed);

    /**
     * Offsets of a partition between which the metadata differ in kind. What is before one of them in any partition is
     * copied before what is behind it in another.
     */
    default List<Long> bounds(int from) {
        return List.of();
    }
}
