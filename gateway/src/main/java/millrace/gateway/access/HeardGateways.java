package millrace.gateway.access;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Which gateways there are, and whether this one hears them: all write to one topic now and then,
 * and read it. One that does not read what it wrote itself hears nobody. Time is any clock that
 * does not go back, in nanoseconds. Safe for use by many threads.
 */
final class HeardGateways {
    /** So often a gateway says that it is there. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);
    /** Three times a gateway can be late. */
    private static final long SILENCE = INTERVAL.multipliedBy(3).toNanos();
    /** A record comes back in milliseconds. */
    private static final long UNREAD = Duration.ofSeconds(5).toNanos();
    /** Far more than there are; each 100 bytes. */
    private static final int MOST = 1_000;

    private final String self;
    private final Map<String, Long> others = new HashMap<>();
    private boolean waiting;
    private long writtenAt;

    /** @param self the id of this gateway, another one after each start */
    public HeardGateways(String self) {
        this.self = self;
    }

    /** This gateway writes. */
    public synchronized void wrote(long now) {
        if (!waiting) {
            waiting = true;
            writtenAt = now;
        }
    }

    /**
     * A record of a gateway was read.
     *
     * @return whether it is another one
     */
    public synchronized boolean heard(String gateway, long now) {
        if (gateway.equals(self)) {
            waiting = false;
            return false;
        }
        if (others.size() < MOST || others.containsKey(gateway)) {
            others.put(gateway, now);
        }
        return true;
    }

    public synchronized boolean cutOff(long now) {
        return waiting && now - writtenAt > UNREAD;
    }

    /** The gateways of the cluster. While this one is cut off, as many as there were before. */
    public synchronized int size(long now) {
        if (!cutOff(now)) {
            others.values().removeIf(at -> now - at > SILENCE);
        }
        return 1 + others.size();
    }
}
