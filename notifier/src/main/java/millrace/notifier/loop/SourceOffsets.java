package millrace.notifier.loop;

import java.util.BitSet;
import java.util.TreeSet;
import millrace.contracts.delivery.OpenOffsets;

/**
 * Tracks the open offsets of one source partition. Offsets are released in any order. The lowest open offset is
 * committed, with metadata that says which offsets above it are open, so that a new owner does not repeat the others.
 */
final class SourceOffsets {
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

    /** @param metadata text that {@link #metadata} returned; any other text counts as empty */
    static SourceOffsets resume(long committed, String metadata) {
        return OpenOffsets.parse(metadata)
                .map(known -> new SourceOffsets(committed, committed + known.above(), known.open()))
                .orElseGet(() -> new SourceOffsets(committed, committed, new BitSet()));
    }

    /** Opens an offset. Returns false if it was released before the take-over. */
    boolean take(long offset) {
        next = offset + 1;
        if (offset < end && !openBefore.get(Math.toIntExact(offset - base))) {
            return false;
        }
        open.add(offset);
        return true;
    }

    void release(long offset) {
        open.remove(offset);
    }

    /** Moves the position past offsets that have no record, for example transaction markers. */
    void advance(long position) {
        next = Math.max(next, position);
    }

    /** The offset to commit: all offsets below it are released. */
    long committed() {
        return open.isEmpty() ? next : open.first();
    }

    /**
     * The metadata to commit. Empty if no offset above {@link #committed} is released, or if the text would be
     * too long.
     */
    String metadata() {
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
        return new OpenOffsets(above, bits).text();
    }

    /** The offset after the last one that was taken or skipped. */
    long next() {
        return next;
    }

    /** The offset behind the last one that a former owner has taken, as far as it is known. */
    long end() {
        return end;
    }

    /** Number of open offsets. */
    int open() {
        return open.size();
    }
}
