package millrace.simulation.kernel;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The queue of future events, ordered by time. */
final class Timers {
    /** Fewer cancelled timers than this are not removed. */
    private static final int FEW = 64;

    private final PriorityQueue<Timer> queue = new PriorityQueue<>();
    private long set;
    private int cancelled;

    Timer add(long at, Runnable event) {
        var timer = new Timer(this, at, set++, event);
        queue.add(timer);
        return timer;
    }

    /** The next timer, or null. */
    @Nullable
    Timer peek() {
        for (Timer next = queue.peek(); next != null; next = queue.peek()) {
            if (!next.isOver()) {
                return next;
            }
            queue.remove();
            cancelled--;
        }
        return null;
    }

    /** Removes the next timer. */
    void remove() {
        queue.remove();
    }

    void clear() {
        queue.clear();
        cancelled = 0;
    }

    /**
     * To be called when a timer is cancelled. Most waits end before their timeout, so cancelled timers are removed now
     * and then.
     */
    void cancelled() {
        cancelled++;
        if (cancelled > FEW && cancelled > queue.size() / 2) {
            queue.removeIf(Timer::isOver);
            cancelled = 0;
        }
    }
}
