package millrace.processor.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import millrace.processor.retention.LedgerMark.Place;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class LedgerHistoryTest {
    private static final LedgerMark MARK =
            new LedgerMark("cluster-a", "topic-1", Map.of(0, new Place(41, 1000), 1, new Place(7, 2000)));

    @Test
    void theSameKafkaGoesOn() throws IOException {
        var history = new LedgerHistory("cluster-a", "topic-1", MARK);
        history.read(0, 41, 1000);
        history.read(0, 42, 900);
        history.read(1, 7, 2000);
        history.read(2, 0, 3000);
        assertThat(history.read(Map.of(0, 44L, 1, 8L, 2, 1L, 3, 0L)))
                .isEqualTo(new LedgerMark(
                        "cluster-a",
                        "topic-1",
                        Map.of(0, new Place(42, 900), 1, new Place(7, 2000), 2, new Place(0, 3000))));
    }

    @Test
    void whatCompactionTookAwayIsNotMissed() throws IOException {
        var history = new LedgerHistory("cluster-a", "topic-1", MARK);
        history.read(0, 50, 4000);
        assertThat(history.read(Map.of(0, 51L, 1, 8L)).places()).isEqualTo(Map.of(0, new Place(50, 4000)));
    }

    @Test
    void nobodysStoreIsAnybodys() throws IOException {
        assertThat(new LedgerHistory("cluster-b", "topic-2", null).read(Map.of(0, 0L)))
                .isEqualTo(new LedgerMark("cluster-b", "topic-2", Map.of()));
    }

    @Test
    void anotherClusterIsAnotherLedger() {
        assertRefused(() -> new LedgerHistory("cluster-b", "topic-1", MARK), "cluster-a");
    }

    /** A cluster id may be configured, so that an empty cluster has it too. */
    @Test
    void anotherTopicIsAnotherLedger() {
        assertRefused(() -> new LedgerHistory("cluster-a", "topic-2", MARK), "made anew");
    }

    @Test
    void aRestoreToAnEarlierPointIsSeenByTheEnds() throws IOException {
        var history = new LedgerHistory("cluster-a", "topic-1", MARK);
        history.read(0, 40, 999);
        assertRefused(() -> history.read(Map.of(0, 41L, 1, 8L)), "restore to an earlier point");
        assertRefused(() -> history.read(Map.of(0, 42L)), "restore to an earlier point");
    }

    @Test
    void aRestoreToAnEarlierPointIsSeenWhenThereAreMoreRecordsThanBefore() throws IOException {
        var history = new LedgerHistory("cluster-a", "topic-1", MARK);
        history.read(0, 40, 999);
        assertRefused(() -> history.read(0, 41, 5000), "restore to an earlier point");
    }

    private static void assertRefused(ThrowingCallable what, String words) {
        assertThatThrownBy(what).isInstanceOf(SweepRefusedException.class).hasMessageContaining(words);
    }
}
