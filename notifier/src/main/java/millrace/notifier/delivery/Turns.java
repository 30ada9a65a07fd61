package millrace.notifier.delivery;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is: one timer over endpoints, not over events, and then one event for each endpoint in turn, so that an
 * endpoint with many events takes no more turns than others. For one thread.
 */
public final class Turns {
    private record Alarm(long at, EndpointQueue queue) {}

    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(Comparator.comparingLong(Alarm::at));
    private final Deque<EndpointQueue> ready = new ArrayDeque<>();

    /** To be called after each change of a queue. */
    public void schedule(EndpointQueue queue, long now) {
        long due = queue.nextDue();
        if (queue.inTurn || due == Long.MAX_VALUE) {
            return;
        }
        if (due <= now) {
            queue.inTurn = true;
            ready.add(queue);
        } else if (due < queue.timer) {
            queue.timer = due;
            alarms.add(new Alarm(due, queue));
        }
    }

    /** The endpoint that may start one event; schedule it again afterwards. Null: nobody now. */
    public @Nullable EndpointQueue next(long now) {
        ring(now);
        for (EndpointQueue queue = ready.poll(); queue != null; queue = ready.poll()) {
            queue.inTurn = false;
            if (!queue.dropped()) {
                return queue;
            }
        }
        return null;
    }

    /** When {@link #next} may have something; {@link Long#MAX_VALUE}: not before something changes. */
    public long nextDue() {
        if (!ready.isEmpty()) {
            return Long.MIN_VALUE;
        }
        Alarm alarm = alarms.peek();
        return alarm == null ? Long.MAX_VALUE : alarm.at();
    }

    private void ring(long now) {
        for (Alarm alarm = alarms.peek(); alarm != null && alarm.at() <= now; alarm = alarms.peek()) {
            alarms.remove();
            EndpointQueue queue = alarm.queue();
            if (queue.timer == alarm.at()) { // else an earlier one took its place
                queue.timer = Long.MAX_VALUE;
                schedule(queue, now);
            }
        }
    }
}
