package millrace.notifier.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private final Turns turns = new Turns();

    @Test
    void oneEventOfEachEndpointInTurn() {
        EndpointQueue flooded = queue("flooded", 10);
        for (int report = 1; report <= 5; report++) {
            flooded.add(Events.arrived(report, 1, 0));
        }
        EndpointQueue other = queue("other", 10);
        other.add(Events.arrived(1, 1, 5));
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
        assertThat(turns.nextDue()).isEqualTo(100);
        assertThat(play(99)).isEmpty();
        assertThat(play(100)).containsExactly("a");
        assertThat(turns.nextDue()).isEqualTo(300);
        assertThat(play(300)).containsExactly("a");
        assertThat(turns.nextDue()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anEndpointAtItsCapIsSilent() {
        EndpointQueue queue = queue("a", 1);
        queue.add(Events.arrived(1, 1, 0));
        queue.add(Events.arrived(2, 1, 0));
        turns.schedule(queue, 0);
        assertThat(play(0)).containsExactly("a");
        assertThat(turns.nextDue()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aDroppedEndpointHasNoTurn() {
        EndpointQueue queue = queue("a", 1);
        queue.add(Events.arrived(1, 1, 0));
        turns.schedule(queue, 0);
        queue.drop();
        assertThat(play(0)).isEmpty();
    }

    /** Starts whatever may start, and tells whose turn it was. */
    private List<String> play(long now) {
        List<String> keys = new ArrayList<>();
        for (EndpointQueue queue = turns.next(now); queue != null; queue = turns.next(now)) {
            if (queue.next(now) != null) {
                keys.add(queue.key());
            }
            turns.schedule(queue, now);
        }
        return keys;
    }

    private static void retry(EndpointQueue queue, int report, long due) {
        queue.add(HeldEvent.takenOver(Events.deliver(report, 1, "u"), 1, HeldEvent.NOT_RESENT, due));
    }

    private static EndpointQueue queue(String key, int cap) {
        return new EndpointQueue(key, 0, cap);
    }
}
