package millrace.simulation.kernel;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The trace of a simulation: a hash of all lines, and the last lines. Two runs of one seed have the same hash. */
public final class Trace {
    private static final long PRIME = 0x100000001b3L;
    /** Number of lines that are kept. */
    private static final int MOST = 2_000;

    private final Deque<String> last = new ArrayDeque<>();
    private final Scheduler scheduler;
    private long hash = 0xcbf29ce484222325L;

    Trace(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Adds a line, prefixed by the simulated time in microseconds. */
    public void add(String line) {
        mix(scheduler.nanos());
        mix(line.hashCode());
        mix(line.length());
        if (last.size() == MOST) {
            last.removeFirst();
        }
        last.addLast(scheduler.nanos() / 1_000 + " " + line);
    }

    /** Adds a number to the hash only. */
    void mix(long number) {
        hash = (hash ^ number) * PRIME;
        hash ^= hash >>> 29;
    }

    public long hash() {
        return hash;
    }

    /** The last lines, oldest first; at most 2,000. */
    public List<String> tail(int n) {
        return last.stream().skip(Math.max(0, last.size() - n)).toList();
    }
}
