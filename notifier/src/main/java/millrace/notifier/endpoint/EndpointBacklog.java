package millrace.notifier.endpoint;

/**
 * The events of an endpoint that wait in the source topic only, from an offset on. They are not in memory and take no
 * room in the state topic, which has just the offset. Not thread-safe.
 */
public final class EndpointBacklog {
    /** If no event was found on the way, the offset is written again after so many others. */
    private static final long FAR = 100_000;

    private long from;
    private long last;
    private long since;
    private long events;
    private long written;
    private boolean taken;

    /**
     * @param from no event before this offset is in the backlog
     * @param last no event behind this offset is in the backlog, until one is passed over
     * @param since no event in it occurred before, in milliseconds since the epoch
     * @param events number of events in it, as far as that is known
     */
    public EndpointBacklog(long from, long last, long since, long events) {
        this.from = from;
        this.last = last;
        this.since = since;
        this.events = events;
        this.written = from;
    }

    public long from() {
        return from;
    }

    /** No event of the backlog occurred before, in milliseconds since the epoch. */
    public long since() {
        return since;
    }

    /** Number of events, exact unless a former owner died within seconds after it had passed over some. */
    public long events() {
        return events;
    }

    /** Leaves a new event of the endpoint in the source. */
    public void passOver(long offset) {
        if (offset > last) {
            last = offset;
            events++;
        }
    }

    /** Whether the record is in the backlog; else it was taken, or read by mistake. */
    public boolean contains(long offset) {
        return offset >= from;
    }

    /**
     * The event was taken from the backlog, of which it was the first.
     *
     * @param at when it occurred
     */
    public void taken(long offset, long at) {
        from = offset + 1;
        since = at;
        events = Math.max(0, events - 1);
        taken = true;
    }

    /** There is no event of the endpoint between the last one taken and this offset. */
    public void reached(long offset) {
        from = Math.max(from, offset);
    }

    /**
     * The first event of the backlog is this one, and stays in it.
     *
     * @param at when it occurred
     */
    public void beginsWith(long offset, long at) {
        from = offset;
        since = at;
    }

    /** Whether nothing is left, so that the endpoint has caught up with the source. */
    public boolean isEmpty() {
        return from > last;
    }

    /** Whether the state topic must have the new offset. */
    public boolean moved() {
        return taken || from - written >= FAR;
    }

    public void written() {
        written = from;
        taken = false;
    }
}
