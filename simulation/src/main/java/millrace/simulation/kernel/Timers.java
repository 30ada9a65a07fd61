package millrace.simulation.kernel;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The events to come, in their order. */
final class Timers {
    /** Fewer than these are not worth a clearing. */
    private static final int FEW = 64;

    private final PriorityQueue<Timer> queue = new PriorityQueue<>();
    private long set;
    private int cancelled;

    Timer add(long at, Runnable event) {
        var timer = new Timer(this, at, set++, event);
        queue.add(timer);
        return timer;
    }

    /** The next one, or null. */
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

    /** Takes the next one out. */
    void remove() {
        queue.remove();
    }

    void clear() {
        queue.clear();
        cancelled = 0;
    }

    /** Most waits end before their time; what they leave behind would make the queue long. */
    void cancelled() {
        cancelled++;
        if (cancelled > FEW && cancelled > queue.size() / 2) {
            queue.removeIf(Timer::isOver);
            cancelled = 0;
        }
    }
}
