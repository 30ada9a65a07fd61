package millrace.notifier.endpoint;

import java.time.Instant;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.EndpointState.HeldReason;
import org.jspecify.annotations.Nullable;

/**
 * A URL of an endpoint that is held, without its query, and the events that were set aside for it. When its time has
 * come a single event tries it. It is thrown away when it is released. Not thread-safe.
 */
final class HeldUrl implements AccountUrls.Entry {
    private final HeldUrls endpoint;
    private final int path;
    private final String url;
    private final DueEventHeap events = new DueEventHeap();
    private Reason reason;
    private long until;
    private long since;
    private int probes;
    private boolean trying;
    private int unattempted;

    /** Why it is held. */
    enum Reason {
        /** It asked to wait. */
        RETRY_AFTER(HeldReason.RETRY_AFTER),
        /** It fails, and nothing says that other URLs do. */
        FAILING(HeldReason.FAILING),
        /** It was tried while the whole endpoint fails, so that the next probe is for another URL. */
        PROBED(null);

        private final @Nullable HeldReason published;

        Reason(@Nullable HeldReason published) {
            this.published = published;
        }
    }

    /** @param path the hash of the URL */
    HeldUrl(HeldUrls endpoint, int path, String url, Reason reason, long until, long now) {
        this.endpoint = endpoint;
        this.path = path;
        this.url = url;
        this.reason = reason;
        this.until = until;
        this.since = now;
    }

    void holdOn(Reason why, long end, long now) {
        if (reason == Reason.RETRY_AFTER && until > end) {
            return;
        }
        probes = why == reason ? probes + 1 : 0;
        reason = why;
        until = end;
        since = now;
    }

    @Override
    public String endpoint() {
        return endpoint.key();
    }

    @Override
    public void forget() {
        endpoint.goOn(this);
    }

    int path() {
        return path;
    }

    boolean held(Reason why) {
        return reason == why;
    }

    /** Whether it has no events and its time had come before. */
    boolean unused(long before) {
        return events.size() == 0 && !trying && until <= before;
    }

    /** Whether the event has to wait for the others, or for longer than its own time. */
    boolean holds(HeldEvent event) {
        return trying || until > event.due();
    }

    long until() {
        return until;
    }

    /** When it was held, or held on. */
    long since() {
        return since;
    }

    /** How often it was held on for the same reason. */
    int probes() {
        return probes;
    }

    /** Whether an event that tries it is in flight. */
    void trying(boolean inFlight) {
        trying = inFlight;
    }

    /** When the first of its events may start; {@link Long#MAX_VALUE} if there is none or one is trying. */
    long due() {
        HeldEvent head = events.peek();
        return head == null || trying ? Long.MAX_VALUE : Math.max(head.due(), until);
    }

    DueEventHeap events() {
        return events;
    }

    void setAside(HeldEvent event) {
        events.add(event);
        unattempted += event.attempts() == 0 ? 1 : 0;
    }

    /** Returns false if the event is not set aside. */
    boolean remove(HeldEvent event) {
        boolean removed = events.remove(event);
        unattempted -= removed && event.attempts() == 0 ? 1 : 0;
        return removed;
    }

    /** Events that were not attempted and may not start now. */
    int unattempted() {
        return unattempted;
    }

    /** As it is published; null if it is not held for a reason of its own. */
    EndpointState.@Nullable HeldUrl published() {
        HeldReason why = reason.published;
        return why == null ? null : new EndpointState.HeldUrl(url, Instant.ofEpochMilli(until), why);
    }
}
