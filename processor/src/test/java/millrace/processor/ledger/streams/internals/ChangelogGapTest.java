package millrace.processor.ledger.streams.internals;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ChangelogGapTest {
    private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
    private static final Set<TopicPartition> NONE = Set.of();
    private static final Set<TopicPartition> ONE = Set.of(new TopicPartition("changelog", 0));

    private final ChangelogGap gap = new ChangelogGap(Duration.ofMinutes(30));

    @Test
    void aReaderThatStoodStillIsNoticedOnce() {
        assertThat(gap.isTooLong(NOON, ONE)).isFalse();
        assertThat(gap.isTooLong(NOON.plusSeconds(1_800), ONE)).isFalse();
        assertThat(gap.isTooLong(NOON.plusSeconds(3_601), ONE)).isTrue();
        assertThat(gap.isTooLong(NOON.plusSeconds(3_602), ONE)).isFalse();
    }

    @Test
    void aReaderThatHadNothingToReadHasMissedNothing() {
        assertThat(gap.isTooLong(NOON, ONE)).isFalse();
        gap.assigned(ONE);
        assertThat(gap.isTooLong(NOON.plusSeconds(1), NONE)).isFalse();
        gap.assigned(NONE);
        assertThat(gap.isTooLong(NOON.plusSeconds(7_200), ONE)).isFalse();
        gap.assigned(ONE);
        assertThat(gap.isTooLong(NOON.plusSeconds(10_000), ONE)).isTrue();
    }

    /** Streams does not poll where nothing is assigned. */
    @Test
    void whatIsAssignedFirstIsRead() {
        assertThat(gap.isTooLong(NOON, ONE)).isFalse();
        gap.assigned(ONE);
        gap.assigned(NONE);
        assertThat(gap.isTooLong(NOON.plusSeconds(7_200), ONE)).isFalse();
    }
}
