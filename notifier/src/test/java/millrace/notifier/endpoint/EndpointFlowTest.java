package millrace.notifier.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import millrace.contracts.delivery.EndpointState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Breaker, cap, rate and pauses of one endpoint, step by step. Times are milliseconds. */
class EndpointFlowTest {
    private static final AttemptResult OK = new AttemptResult.Answered(200, null);
    private static final AttemptResult ERROR = new AttemptResult.Answered(500, null);
    /** A random number that makes pauses neither shorter nor longer. */
    private static final double EXACT = 0.5;

    private final EndpointFlow flow = new EndpointFlow(new FlowRules(
            4,
            8,
            100,
            Duration.ofSeconds(1),
            3,
            List.of(Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(60)),
            Duration.ofSeconds(4)));

    @Test
    void opensAfterFailuresInARowAndProbesLessAndLessOften() {
        fail(1000);
        fail(1000);
        assertThat(state(1000)).isEqualTo(EndpointState.Breaker.CLOSED);
        fail(1000);
        assertThat(state(1000)).isEqualTo(EndpointState.Breaker.OPEN);
        assertThat(flow.cap()).isEqualTo(1);
        assertThat(flow.nextStart()).isEqualTo(6000);
        fail(6000);
        assertThat(flow.nextStart()).isEqualTo(21_000);
        fail(21_000);
        fail(81_000);
        assertThat(flow.nextStart()).as("the last pause is repeated").isEqualTo(141_000);
        assertThat(flow.breaker().openSince()).isEqualTo(1000);
        assertThat(flow.breaker().failures()).isEqualTo(6);
    }

    @Test
    void aSuccessInBetweenStartsTheCountAgain() {
        fail(1000);
        fail(1000);
        succeed(1010, 1000);
        fail(1020);
        fail(1020);
        assertThat(state(1020)).isEqualTo(EndpointState.Breaker.CLOSED);
    }

    @Test
    void whatWasUnderWayWhenItOpenedIsNoProbe() {
        fail(1000);
        fail(1000);
        fail(1000);
        flow.ended(ERROR, 7, false, 900, 5900, 1, EXACT);
        assertThat(flow.nextStart()).isEqualTo(6000);
    }

    @Test
    void afterASuccessMoreAndMoreMayStart() {
        open();
        succeed(6001, 6000);
        assertThat(state(6001)).isEqualTo(EndpointState.Breaker.HALF_OPEN);
        assertThat(flow.cap()).isEqualTo(1);
        assertThat(starts(6001, 7001)).as("a sixteenth of 100").isBetween(5, 8);
        assertThat(starts(7001, 8001)).isBetween(11, 14);
        assertThat(starts(8001, 9001)).isBetween(24, 27);
        assertThat(starts(9001, 10_001)).isBetween(49, 52);
        assertThat(state(10_001)).isEqualTo(EndpointState.Breaker.CLOSED);
        assertThat(starts(10_001, 11_001)).isBetween(98, 102);
    }

    @Test
    void oneFailureWhileItIsHalfOpenOpensItForLonger() {
        open();
        succeed(6001, 6000);
        fail(6100);
        assertThat(state(6100)).isEqualTo(EndpointState.Breaker.OPEN);
        assertThat(flow.nextStart()).isEqualTo(6100 + 15_000);
        assertThat(flow.breaker().openSince()).isEqualTo(1000);
    }

    @Test
    void enablingClosesIt() {
        open();
        flow.enable(2000);
        assertThat(state(2000)).isEqualTo(EndpointState.Breaker.HALF_OPEN);
        assertThat(flow.nextStart()).isLessThanOrEqualTo(2010);
    }

    @Test
    void theCapGrowsWhileItIsFullAndHalvesOnceForWhatFailedTogether() {
        for (int i = 0; i < 100; i++) {
            flow.ended(OK, 7, false, 1000 + i, 1020 + i, flow.cap(), EXACT);
        }
        assertThat(flow.cap()).isEqualTo(8);
        flow.ended(ERROR, 7, false, 1100, 1200, 8, EXACT);
        flow.ended(ERROR, 7, false, 1100, 1201, 7, EXACT);
        assertThat(flow.cap()).isEqualTo(4);
    }

    @Test
    void theCapStaysWhereNothingWantsMore() {
        for (int i = 0; i < 100; i++) {
            flow.ended(OK, 7, false, 1000 + i, 1020 + i, 1, EXACT);
        }
        assertThat(flow.cap()).isEqualTo(4);
    }

    @Test
    void theCapShrinksWhenAnswersTakeMuchLonger() {
        flow.ended(OK, 7, false, 1000, 1020, 4, EXACT);
        flow.ended(OK, 7, false, 1100, 1900, 4, EXACT);
        flow.ended(OK, 7, false, 2000, 2800, 4, EXACT);
        assertThat(flow.cap()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void aReceiverThatAsksForAPauseIsNotTakenForDead(int status) {
        for (int i = 0; i < 10; i++) {
            flow.ended(new AttemptResult.Answered(status, Instant.ofEpochMilli(9000)), 7, false, 1000, 1010, 1, EXACT);
        }
        assertThat(state(1010)).isEqualTo(EndpointState.Breaker.CLOSED);
        assertThat(flow.nextStart()).isLessThanOrEqualTo(1010);
    }

    @Test
    void failuresOfOneUrlHoldNoOther() {
        for (int i = 0; i < 3; i++) {
            flow.ended(ERROR, 7, false, 1000, 1000, 1, EXACT);
        }
        assertThat(state(1000)).isEqualTo(EndpointState.Breaker.OPEN);
        assertThat(flow.breaker().holdsAll()).isFalse();
        assertThat(flow.nextStart()).isLessThanOrEqualTo(1000);
        flow.ended(OK, 8, false, 1000, 1010, 1, EXACT);
        assertThat(state(1010)).as("nothing has to begin slowly").isEqualTo(EndpointState.Breaker.CLOSED);
    }

    @Test
    void aBurstOfASecondThenTheRate() {
        assertThat(starts(50_000, 50_001)).isEqualTo(100);
        assertThat(starts(50_001, 51_001)).isBetween(99, 101);
    }

    @Test
    void slowIsWhatTakesLongOnAverage() {
        succeed(1900, 1000);
        assertThat(flow.slow()).isFalse();
        for (int i = 0; i < 20; i++) {
            succeed(5000, 1000);
        }
        assertThat(flow.slow()).isTrue();
    }

    private int starts(long from, long to) {
        int starts = 0;
        for (long now = from; now < to; now++) {
            for (; flow.nextStart() <= now; starts++) {
                flow.started(now);
            }
        }
        return starts;
    }

    private void open() {
        fail(1000);
        fail(1000);
        fail(1000);
    }

    /** A connection is refused, which shows that the host is down. */
    private void fail(long at) {
        flow.ended(new AttemptResult.NoAnswer(), 7, false, at, at, 1, EXACT);
    }

    private void succeed(long now, long startedAt) {
        flow.ended(OK, 7, false, startedAt, now, 1, EXACT);
    }

    private EndpointState.Breaker state(long now) {
        return flow.breaker().state(now);
    }
}
