package millrace.notifier.delivery;

import java.util.Base64;
import java.util.BitSet;
import java.util.TreeSet;

/**
 * Which offsets of one partition are done with. Offsets are released in any order; what is committed is the lowest open one,
 * and, as text beside it, which of those above are open, so that whoever takes over does not repeat the others.
 */
public final class SourceOffsets {
    /** A broker keeps 4,096 characters by default. */
    private static final int MAX_TEXT = 4096;

    private final TreeSet<Long> open = new TreeSet<>();
    private final BitSet openBefore;
    private final long base;
    private final long end;
    private long next;

    private SourceOffsets(long committed, long end, BitSet openBefore) {
        this.base = committed;
        this.end = end;
        this.openBefore = openBefore;
        this.next = committed;
    }

    /** @param metadata as {@link #metadata} made it; any other text is as none */
    public static SourceOffsets resume(long committed, String metadata) {
        int colon = metadata.indexOf(':');
        try {
            if (colon > 0) {
                long end = committed + Long.parseLong(metadata.substring(0, colon));
                byte[] bits = Base64.getDecoder().decode(metadata.substring(colon + 1));
                return new SourceOffsets(committed, end, BitSet.valueOf(bits));
            }
        } catch (IllegalArgumentException e) {
            return new SourceOffsets(committed, committed, new BitSet()); // repeats are allowed, losses are not
        }
        return new SourceOffsets(committed, committed, new BitSet());
    }

    /** Opens an offset; false where it was released before the take-over. */
    public boolean take(long offset) {
        next = offset + 1;
        if (offset < end && !openBefore.get(Math.toIntExact(offset - base))) {
            return false;
        }
        open.add(offset);
        return true;
    }

    public void release(long offset) {
        open.remove(offset);
    }

    /** The consumer is there: no record lies between the last one taken and {@code position}. */
    public void advance(long position) {
        next = Math.max(next, position);
    }

    /** What to commit: everything below is released. */
    public long committed() {
        return open.isEmpty() ? next : open.first();
    }

    /** Empty where nothing above {@link #committed} is released, or where it would be too long. */
    public String metadata() {
        long from = committed();
        long above = Math.max(next, end) - from;
        boolean allOpen = next >= end && above <= open.size();
        if (allOpen || above > Integer.MAX_VALUE) {
            return "";
        }
        var bits = new BitSet();
        open.forEach(offset -> bits.set(Math.toIntExact(offset - from)));
        for (long offset = Math.max(next, from); offset < end; offset++) {
            bits.set(Math.toIntExact(offset - from), openBefore.get(Math.toIntExact(offset - base)));
        }
        String text = above + ":" + Base64.getEncoder().encodeToString(bits.toByteArray());
        return text.length() > MAX_TEXT ? "" : text;
    }

    /** The one after the last that was taken or passed over. */
    public long next() {
        return next;
    }

    /** Offsets taken and not released. */
    public int open() {
        return open.size();
    }
}
