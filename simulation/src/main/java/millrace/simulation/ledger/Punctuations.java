package millrace.simulation.ledger;

import java.util.PriorityQueue;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.Punctuator;

/** The wall-clock punctuations of one task. Times are milliseconds. Missed punctuations are not repeated. */
final class Punctuations {
    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private long scheduled;

    private static final class Cancelled implements Cancellable {
        private boolean cancelled;

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    private record Entry(long at, long number, long interval, Punctuator punctuator, Cancelled state)
            implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            return at == other.at ? Long.compare(number, other.number) : Long.compare(at, other.at);
        }

        Entry next(long now) {
            long missed = Math.max(0, (now - at) / interval);
            return new Entry(at + (missed + 1) * interval, number, interval, punctuator, state);
        }
    }

    /** Schedules a punctuation; it runs for the first time after an interval. */
    Cancellable schedule(long now, long interval, Punctuator punctuator) {
        if (interval < 1) {
            throw new IllegalArgumentException("The minimum supported scheduling interval is 1 millisecond.");
        }
        var state = new Cancelled();
        entries.add(new Entry(now + interval, scheduled++, interval, punctuator, state));
        return state;
    }

    /** Runs due punctuations; returns whether there were any. */
    boolean run(long now) {
        boolean some = false;
        for (Entry next = entries.peek(); next != null && next.at() <= now; next = entries.peek()) {
            entries.remove();
            if (next.state().cancelled) {
                continue;
            }
            next.punctuator().punctuate(now);
            some = true;
            if (!next.state().cancelled) {
                entries.add(next.next(now));
            }
        }
        return some;
    }
}
