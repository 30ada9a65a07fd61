package millrace.notifier.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class EndpointTurnsTest {
    private final EndpointTurns turns = new EndpointTurns();

    @Test
    void oneEventOfEachEndpointInTurn() {
        EndpointQueue flooded = queue("flooded", 10);
        for (int report = 1; report <= 5; report++) {
            flooded.add(SampleEvents.arrived(report, 1, 0));
        }
        EndpointQueue other = queue("other", 10);
        other.add(SampleEvents.arrived(1, 1, 5));
        turns.schedule(flooded, 5);
        turns.schedule(other, 5);
        assertThat(play(5)).containsExactly("flooded", "other", "flooded", "flooded", "flooded", "flooded");
    }

    @Test
    void theEarliestTimerCountsAndRingsOnce() {
        EndpointQueue queue = queue("a", 10);
        retry(queue, 1, 300);
        turns.schedule(queue, 0);
        retry(queue, 2, 100);
        turns.schedule(queue, 0);
        assertThat(turns.nextDue(true)).isEqualTo(100);
        assertThat(play(99)).isEmpty();
        assertThat(play(100)).containsExactly("a");
        assertThat(turns.nextDue(true)).isEqualTo(300);
        assertThat(play(300)).containsExactly("a");
        assertThat(turns.nextDue(true)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anEndpointAtItsCapIsSilent() {
        EndpointQueue queue = queue("a", 1);
        queue.add(SampleEvents.arrived(1, 1, 0));
        queue.add(SampleEvents.arrived(2, 1, 0));
        turns.schedule(queue, 0);
        assertThat(play(0)).containsExactly("a");
        assertThat(turns.nextDue(true)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aDroppedEndpointHasNoTurn() {
        EndpointQueue queue = queue("a", 1);
        queue.add(SampleEvents.arrived(1, 1, 0));
        turns.schedule(queue, 0);
        queue.drop();
        assertThat(play(0)).isEmpty();
    }

    @Test
    void slowEndpointsWaitWhileTheirLaneIsClosed() {
        EndpointQueue slow = queue("slow", 1);
        slow.add(SampleEvents.arrived(1, 1, 0));
        slow.add(SampleEvents.arrived(2, 1, 0));
        HeldEvent first = Objects.requireNonNull(slow.next(0));
        for (int i = 0; i < 20; i++) {
            slow.flow().ended(new AttemptResult.NoAnswer(), 0, false, 0, 5000, 1, 0.5);
        }
        slow.flow().enable(5000);
        slow.ended(first);
        turns.schedule(slow, 6000);
        assertThat(turns.nextDue(false)).isEqualTo(Long.MAX_VALUE);
        assertThat(turns.next(6000, false)).isNull();
        assertThat(turns.nextDue(true)).isEqualTo(Long.MIN_VALUE);
        assertThat(turns.next(6000, true)).isSameAs(slow);
    }

    @Test
    void anEndpointHasOneAlarmAtMost() {
        EndpointQueue queue = queue("a", 10);
        retry(queue, 1, 100_000);
        for (int i = 2; i < 1000; i++) {
            retry(queue, i, 100_000 - i);
            turns.schedule(queue, 0);
        }
        assertThat(turns.alarms()).isEqualTo(1);
    }

    /** Starts all events that may start; returns their endpoints in order. */
    private List<String> play(long now) {
        List<String> keys = new ArrayList<>();
        for (EndpointQueue queue = turns.next(now, true); queue != null; queue = turns.next(now, true)) {
            if (queue.next(now) != null) {
                keys.add(queue.key());
            }
            turns.schedule(queue, now);
        }
        return keys;
    }

    private static void retry(EndpointQueue queue, int report, long due) {
        queue.add(SampleEvents.retried(report, due));
    }

    private static EndpointQueue queue(String key, int cap) {
        return new EndpointQueue(key, 0, new EndpointFlow(SampleEvents.rules(cap)));
    }
}
