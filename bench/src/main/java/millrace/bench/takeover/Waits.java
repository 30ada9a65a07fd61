package millrace.bench.takeover;

import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * How long clients waited around a moment, in seconds.
 *
 * @param gap the longest time in which nothing came of the part that failed
 * @param longest the longest time from a request that was due until it came
 * @param asBefore time until no more requests waited than usually; 0 if there were never more, infinite if it
 *     did not come to that
 */
record Waits(double gap, double longest, double asBefore) {
    private static final double MICROS = 1e6;

    /**
     * From when a request was due until what is measured came; microseconds since the epoch.
     *
     * @param affected whether the part that fails had to do with it
     */
    record Span(long due, long end, boolean affected) {}

    /**
     * @param usually most requests that waited at once while nothing failed
     * @param all of a load that has ended
     */
    static Waits between(long from, long to, int usually, List<Span> all) {
        double longest = all.stream()
                        .filter(span -> span.due <= to && span.end >= from)
                        .mapToLong(span -> span.end - span.due)
                        .max()
                        .orElse(0)
                / MICROS;
        return new Waits(gap(from, to, all) / MICROS, longest, asBefore(from, to, usually, all));
    }

    /** Most requests that waited at once. */
    static int mostWaiting(long from, long to, List<Span> all) {
        return (int) changes(from, to, all).map(t -> waiting(t, all)).max().orElse(0);
    }

    private static long gap(long from, long to, List<Span> all) {
        long before = all.stream()
                .filter(Span::affected)
                .mapToLong(Span::end)
                .filter(end -> end < from)
                .max()
                .orElse(from);
        long[] came = LongStream.concat(
                        LongStream.of(before, to),
                        all.stream().filter(Span::affected).mapToLong(Span::end).filter(end -> end >= from && end < to))
                .sorted()
                .toArray();
        long gap = 0;
        for (int i = 1; i < came.length; i++) {
            gap = Math.max(gap, came[i] - came[i - 1]);
        }
        return gap;
    }

    private static double asBefore(long from, long to, int usually, List<Span> all) {
        long[] changes = changes(from, to, all).sorted().toArray();
        long worst = from;
        long most = usually;
        for (long change : changes) {
            long waiting = waiting(change, all);
            if (waiting > most) {
                most = waiting;
                worst = change;
            }
        }
        if (most == usually) {
            return 0;
        }
        for (long change : changes) {
            if (change > worst && waiting(change, all) <= usually) {
                return (change - from) / MICROS;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /** The moments at which a request begins or ends to wait. */
    private static LongStream changes(long from, long to, List<Span> all) {
        return all.stream()
                .flatMapToLong(span -> LongStream.of(span.due, span.end))
                .filter(moment -> moment >= from && moment <= to);
    }

    private static long waiting(long moment, List<Span> all) {
        return all.stream()
                .filter(span -> span.due <= moment && moment < span.end)
                .count();
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%6.1f %8.1f %8.1f", gap, longest, asBefore);
    }
}
