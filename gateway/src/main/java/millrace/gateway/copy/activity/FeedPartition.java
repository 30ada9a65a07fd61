package millrace.gateway.copy.activity;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How far a partition has been read, and on which days its records lie. The day of a record is never
 * before that of an earlier record.
 *
 * @param next the offset that follows
 * @param end the offset after the last record; below {@code next} where transactions ended since
 * @param day of the last record
 * @param firsts for each day that is kept and has records the offset that all of them have at least,
 *     and all earlier ones are below
 */
record FeedPartition(long next, long end, int day, NavigableMap<Integer, Long> firsts) {

    /** One of which nothing has been read. */
    static FeedPartition startingAt(long offset) {
        return new FeedPartition(offset, offset, 0, Collections.emptyNavigableMap());
    }

    /** @param oldest the oldest day that is kept */
    FeedPartition recorded(long offset, int recordDay, int oldest) {
        int newDay = Math.max(day, recordDay);
        boolean begins = newDay >= oldest && !firsts.containsKey(newDay);
        return new FeedPartition(next, offset + 1, newDay, begins ? with(newDay) : firsts);
    }

    private NavigableMap<Integer, Long> with(int newDay) {
        var more = new TreeMap<>(firsts);
        more.put(newDay, end);
        return Collections.unmodifiableNavigableMap(more);
    }

    FeedPartition readTo(long newNext) {
        return new FeedPartition(newNext, end, day, firsts);
    }

    FeedPartition withoutDaysBefore(int oldest) {
        return firsts.isEmpty() || firsts.firstKey() >= oldest
                ? this
                : new FeedPartition(
                        next,
                        end,
                        day,
                        Collections.unmodifiableNavigableMap(new TreeMap<>(firsts.tailMap(oldest, true))));
    }

    /** The offset from which on everything is kept. */
    long earliest() {
        return firsts.isEmpty() ? end : firsts.firstEntry().getValue();
    }

    /** The first day that may have records from the offset on. */
    int dayOf(long offset) {
        int found = firsts.isEmpty() ? day : firsts.firstKey();
        for (Map.Entry<Integer, Long> first : firsts.entrySet()) {
            if (first.getValue() <= offset) {
                found = first.getKey();
            }
        }
        return found;
    }

    /** The offset from which on all records are of later days. */
    long after(int readDay) {
        Map.Entry<Integer, Long> later = firsts.higherEntry(readDay);
        return later == null ? next : later.getValue();
    }

    /** Without the days, which have rows of their own. */
    byte[] bytes() {
        return ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES)
                .putLong(next)
                .putLong(end)
                .putInt(day)
                .array();
    }

    static FeedPartition read(byte[] bytes, NavigableMap<Integer, Long> firsts) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new FeedPartition(in.getLong(), in.getLong(), in.getInt(), Collections.unmodifiableNavigableMap(firsts));
    }
}
