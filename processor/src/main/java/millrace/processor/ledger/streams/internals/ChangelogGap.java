package millrace.processor.ledger.streams.internals;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the reader of the changelog has stood still for so long that Kafka may have dropped tombstones that it has
 * not read, for example because its machine was suspended. What was deleted meanwhile would still be in its stores.
 */
final class ChangelogGap {
    private final Duration most;
    private @Nullable Instant lastPoll;

    ChangelogGap(Duration most) {
        this.most = most;
    }

    /**
     * To be called before each poll.
     *
     * @param now of the clock, which also goes on while a machine is suspended
     * @param assigned the partitions that the reader reads
     * @return whether the state of these partitions is to be read anew
     */
    boolean isTooLong(Instant now, Set<TopicPartition> assigned) {
        Instant last = lastPoll;
        lastPoll = assigned.isEmpty() ? null : now;
        return last != null && lastPoll != null && last.plus(most).isBefore(now);
    }

    /** To be called when the reader is given other partitions. It has read nothing of those that are new. */
    void assigned(Set<TopicPartition> before) {
        if (before.isEmpty()) {
            lastPoll = null;
        }
    }
}
