package millrace.notifier.endpoint;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The events of one partition that are not in the state topic. Each of them keeps its offset in the source open. Most
 * events end within a moment and are never saved. An event that has not ended by then is saved, unless it only waits
 * for its turn at an endpoint that keeps up: saving and deleting a whole burst would cost more than delivering it. An
 * event is not saved before the event of its report that it waits for, because a new owner restores saved events before
 * it reads the source and would attempt them in the wrong order. Not thread-safe.
 */
public final class UnsavedEvents {
    static final long SAVE_AFTER_MILLIS = 250;
    /** How long an event may wait for its turn without being saved. */
    static final long MAX_WAIT_MILLIS = 3000;
    /** An endpoint with more waiting events does not keep up; its events are saved. */
    static final int MAX_OF_ENDPOINT = 200;
    /**
     * Greatest distance between an open offset and the newest. Which offsets between them are open must fit into the
     * metadata that is committed.
     */
    static final int MAX_SPAN = 10_000;

    private final Deque<Arrived> recent = new ArrayDeque<>();
    /** In the order of their arrival, so that each event comes after the one that it waits for. */
    private final Deque<Arrived> waiting = new ArrayDeque<>();

    /**
     * An event that was read from the source.
     *
     * @param at when it arrived
     */
    public record Arrived(EndpointQueue queue, HeldEvent event, long at) {
        boolean open() {
            return !event.ended() && !event.saved();
        }
    }

    /** @param now milliseconds since the epoch */
    public void add(EndpointQueue queue, HeldEvent event, long now) {
        recent.add(new Arrived(queue, event, now));
    }

    /** When an event may have to be saved; {@link Long#MAX_VALUE} if there is none. */
    public long nextDue() {
        Arrived first = head(recent);
        Arrived oldest = head(waiting);
        return Math.min(
                first == null ? Long.MAX_VALUE : first.at() + SAVE_AFTER_MILLIS,
                oldest == null ? Long.MAX_VALUE : oldest.at() + MAX_WAIT_MILLIS);
    }

    /**
     * Takes an event that must be saved now; null if there is none. The caller saves it before it takes the next one.
     *
     * @param next next offset in the source
     */
    public @Nullable Arrived takeDue(long now, long next) {
        Arrived oldest = head(waiting);
        if (oldest != null
                && (oldest.at() + MAX_WAIT_MILLIS <= now
                        || next - oldest.event().sourceOffset() > MAX_SPAN)) {
            return waiting.remove();
        }
        for (Arrived head = head(recent); head != null && head.at() + SAVE_AFTER_MILLIS <= now; head = head(recent)) {
            recent.remove();
            if (!mayWait(head)) {
                return head;
            }
            waiting.add(head);
        }
        return null;
    }

    /** The events of the endpoint, in the order of their arrival. */
    public List<HeldEvent> of(EndpointQueue queue) {
        return Stream.concat(waiting.stream(), recent.stream())
                .filter(arrived -> arrived.queue().equals(queue) && arrived.open())
                .map(Arrived::event)
                .toList();
    }

    private static boolean mayWait(Arrived arrived) {
        EndpointQueue queue = arrived.queue();
        return arrived.event().followsUnsaved()
                || (queue.size() <= MAX_OF_ENDPOINT
                        && arrived.event().waits()
                        && !queue.flow().breaker().open());
    }

    private static @Nullable Arrived head(Deque<Arrived> events) {
        Arrived head = events.peek();
        while (head != null && !head.open()) {
            events.remove();
            head = events.peek();
        }
        return head;
    }
}
