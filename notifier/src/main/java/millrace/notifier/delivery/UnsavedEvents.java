package millrace.notifier.delivery;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The events of one partition that only the source has, each of which keeps an offset open there. Most end before it is worth
 * saving them elsewhere. What has not ended after a moment is saved, unless it only waits for its turn at an endpoint that
 * keeps up: to write all of a burst once more, and to delete it again, would cost more than to deliver it. No event is saved
 * before the one of its report that it waits for: a new owner takes over what is saved before it reads the source, so it
 * would attempt them in the wrong order. For one thread.
 */
public final class UnsavedEvents {
    static final long SAVE_AFTER_MILLIS = 250;
    /** How long one may wait for its turn without being saved. */
    static final long MAX_WAIT_MILLIS = 3000;
    /** Events of an endpoint that has more waiting are saved: it does not keep up. */
    static final int MAX_OF_ENDPOINT = 200;
    /** Offsets between an open one and the newest: which of them are open must fit into what is committed. */
    static final int MAX_SPAN = 10_000;

    private final Deque<Arrived> recent = new ArrayDeque<>();
    /** In the order of their arrival too, so that each comes after the one that it waits for. */
    private final Deque<Arrived> waiting = new ArrayDeque<>();

    private record Arrived(EndpointQueue queue, HeldEvent event, long at) {
        boolean open() {
            return !event.ended() && !event.saved();
        }
    }

    /** @param now milliseconds since the epoch */
    public void add(EndpointQueue queue, HeldEvent event, long now) {
        recent.add(new Arrived(queue, event, now));
    }

    /** When something may have to be saved; {@link Long#MAX_VALUE}: there is nothing. */
    public long nextDue() {
        Arrived first = head(recent);
        Arrived oldest = head(waiting);
        return Math.min(
                first == null ? Long.MAX_VALUE : first.at() + SAVE_AFTER_MILLIS,
                oldest == null ? Long.MAX_VALUE : oldest.at() + MAX_WAIT_MILLIS);
    }

    /**
     * Hands out, once, each event that must be saved now.
     *
     * @param next offset in the source
     */
    public void overdue(long now, long next, BiConsumer<EndpointQueue, HeldEvent> save) {
        for (Arrived head = head(waiting);
                head != null
                        && (head.at() + MAX_WAIT_MILLIS <= now
                                || next - head.event().sourceOffset() > MAX_SPAN);
                head = head(waiting)) {
            waiting.remove();
            save.accept(head.queue(), head.event());
        }
        for (Arrived head = head(recent); head != null && head.at() + SAVE_AFTER_MILLIS <= now; head = head(recent)) {
            recent.remove();
            if (mayWait(head)) {
                waiting.add(head);
            } else {
                save.accept(head.queue(), head.event());
            }
        }
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
