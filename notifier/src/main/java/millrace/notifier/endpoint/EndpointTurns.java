package millrace.notifier.endpoint;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Shares attempts fairly between endpoints: a timer finds endpoints that are due, and each of them may start one event
 * in turn, so that an endpoint with many events gets no more turns than others. Slow endpoints have their own lane,
 * which the caller can close. Not thread-safe.
 */
public final class EndpointTurns {
    /** The timer entry of an endpoint, which has at most one. */
    record Alarm(long at, long number, EndpointQueue queue) {}

    private final TreeSet<Alarm> alarms =
            new TreeSet<>(Comparator.comparingLong(Alarm::at).thenComparingLong(Alarm::number));
    private final Deque<EndpointQueue> ready = new ArrayDeque<>();
    private final Deque<EndpointQueue> readySlow = new ArrayDeque<>();
    private long number;

    /** To be called after each change of a queue. */
    public void schedule(EndpointQueue queue, long now) {
        long due = queue.nextDue();
        if (queue.inTurn || due == Long.MAX_VALUE) {
            return;
        }
        if (due <= now) {
            queue.inTurn = true;
            (queue.flow().slow() ? readySlow : ready).add(queue);
        } else if (queue.alarm == null || queue.alarm.at() > due) {
            if (queue.alarm != null) {
                alarms.remove(queue.alarm);
            }
            queue.alarm = new Alarm(due, number++, queue);
            alarms.add(queue.alarm);
        }
    }

    /**
     * The endpoint that may start one event; the caller schedules it again afterwards. Null if no endpoint is due.
     *
     * @param slowToo whether the slow lane is open
     */
    public @Nullable EndpointQueue next(long now, boolean slowToo) {
        ring(now);
        EndpointQueue queue = next(ready);
        return queue == null && slowToo ? next(readySlow) : queue;
    }

    private static @Nullable EndpointQueue next(Deque<EndpointQueue> lane) {
        for (EndpointQueue queue = lane.poll(); queue != null; queue = lane.poll()) {
            queue.inTurn = false;
            if (!queue.dropped()) {
                return queue;
            }
        }
        return null;
    }

    /** When {@link #next} may return an endpoint; {@link Long#MAX_VALUE} if a queue has to change first. */
    public long nextDue(boolean slowToo) {
        if (!ready.isEmpty() || (slowToo && !readySlow.isEmpty())) {
            return Long.MIN_VALUE;
        }
        return alarms.isEmpty() ? Long.MAX_VALUE : alarms.first().at();
    }

    int alarms() {
        return alarms.size();
    }

    private void ring(long now) {
        while (!alarms.isEmpty() && alarms.first().at() <= now) {
            EndpointQueue queue = alarms.removeFirst().queue();
            queue.alarm = null;
            schedule(queue, now);
        }
    }
}
