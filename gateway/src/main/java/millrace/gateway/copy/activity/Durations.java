package millrace.gateway.copy.activity;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * How many durations there were of each length. Lengths are told apart in 16 steps for each doubling,
 * so that a quantile is at most 3.2 % off. There are at most {@link #MOST} different lengths, of
 * which those that occurred are kept.
 */
public final class Durations {
    private static final int STEP_BITS = 4;
    private static final int STEPS = 1 << STEP_BITS;
    /** Longer ones, of 34 years and more, count as this long. */
    private static final long LONGEST = (1L << 40) - 1;
    /** Different lengths. */
    static final int MOST = length(LONGEST) + 1;
    /** Of a length and its count. */
    private static final int BYTES = Short.BYTES + Integer.BYTES;

    private final TreeMap<Integer, Integer> counts = new TreeMap<>();

    private void add(long millis) {
        counts.merge(length(Math.clamp(millis, 0, LONGEST)), 1, Durations::sum);
    }

    Durations plus(Durations other) {
        var all = new Durations();
        all.counts.putAll(counts);
        other.counts.forEach((length, count) -> all.counts.merge(length, count, Durations::sum));
        return all;
    }

    static Durations of(long millis) {
        var one = new Durations();
        one.add(millis);
        return one;
    }

    /**
     * The duration in milliseconds that this part of all is not longer than; empty where there are
     * none.
     *
     * @param part above 0, at most 1
     */
    public OptionalLong quantile(double part) {
        long all = counts.values().stream().mapToLong(Integer::longValue).sum();
        long rank = (long) Math.ceil(part * all);
        for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
            rank -= entry.getValue();
            if (rank <= 0) {
                return OptionalLong.of(middle(entry.getKey()));
            }
        }
        return OptionalLong.empty();
    }

    int bytes() {
        return counts.size() * BYTES;
    }

    void write(ByteBuffer out) {
        counts.forEach((length, count) -> out.putShort(length.shortValue()).putInt(count));
    }

    /** Reads what {@link #write} has written, to the end. */
    static Durations read(ByteBuffer in) {
        var durations = new Durations();
        while (in.hasRemaining()) {
            durations.counts.put((int) in.getShort(), in.getInt());
        }
        return durations;
    }

    /** Up to 31 exactly; above, by the highest bit and the four bits after it. */
    private static int length(long millis) {
        int shift = Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(millis | 1) - STEP_BITS);
        return (int) ((long) shift * STEPS + (millis >> shift));
    }

    private static long middle(int length) {
        int shift = Math.max(0, length / STEPS - 1);
        long first = (long) (length - shift * STEPS) << shift;
        return first + ((1L << shift) - 1) / 2;
    }

    private static int sum(int one, int other) {
        return (int) Math.min(Integer.MAX_VALUE, (long) one + other);
    }
}
