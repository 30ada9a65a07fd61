package millrace.notifier.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndpointBacklogTest {
    private final EndpointBacklog backlog = new EndpointBacklog(40, 39, 7000, 0);

    @Test
    void whatIsPassedOverIsTakenLater() {
        backlog.passOver(40);
        backlog.passOver(43);
        assertThat(backlog.events()).isEqualTo(2);
        assertThat(backlog.contains(39)).isFalse();
        assertThat(backlog.contains(43)).isTrue();
        backlog.taken(40, 7100);
        assertThat(backlog.from()).isEqualTo(41);
        assertThat(backlog.since()).isEqualTo(7100);
        assertThat(backlog.isEmpty()).isFalse();
        backlog.taken(43, 7200);
        assertThat(backlog.events()).isZero();
        assertThat(backlog.isEmpty()).isTrue();
    }

    /** After a take-over records are read that the former owner had passed over. */
    @Test
    void whatIsPassedOverTwiceCountsOnce() {
        backlog.passOver(40);
        backlog.passOver(41);
        backlog.passOver(40);
        backlog.passOver(41);
        assertThat(backlog.events()).isEqualTo(2);
    }

    @Test
    void whatArrivesBeforeTheEndIsReachedIsReadFirst() {
        backlog.passOver(40);
        backlog.taken(40, 7000);
        backlog.passOver(90);
        backlog.reached(90);
        assertThat(backlog.isEmpty()).isFalse();
        backlog.reached(91);
        assertThat(backlog.isEmpty()).isTrue();
        backlog.reached(60);
        assertThat(backlog.from()).isEqualTo(91);
    }

    @Test
    void aNewOwnerReadsToWhereTheFormerOneWas() {
        var restored = new EndpointBacklog(40, 99, 7000, 3);
        restored.reached(99);
        assertThat(restored.isEmpty()).isFalse();
        restored.reached(100);
        assertThat(restored.isEmpty()).isTrue();
    }

    @Test
    void theFirstThatStaysSaysWhenItOccurred() {
        backlog.passOver(40);
        backlog.passOver(50);
        backlog.beginsWith(50, 9000);
        assertThat(backlog.from()).isEqualTo(50);
        assertThat(backlog.since()).isEqualTo(9000);
        assertThat(backlog.contains(50)).isTrue();
    }

    @Test
    void theOffsetIsWrittenWhereAnEventWasTakenAndSeldomElse() {
        backlog.passOver(1_000_000);
        assertThat(backlog.moved()).isFalse();
        backlog.reached(100_039);
        assertThat(backlog.moved()).isFalse();
        backlog.reached(100_040);
        assertThat(backlog.moved()).isTrue();
        backlog.written();
        assertThat(backlog.moved()).isFalse();
        backlog.taken(100_041, 8000);
        assertThat(backlog.moved()).isTrue();
    }
}
