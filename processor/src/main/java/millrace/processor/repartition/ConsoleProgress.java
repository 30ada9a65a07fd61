package millrace.processor.repartition;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Prints a line for each step, and one every few seconds while a step goes on. */
final class ConsoleProgress implements Progress {
    private static final long EVERY = Duration.ofSeconds(5).toNanos();
    private final PrintStream out;
    private final LongSupplier nanoTime;
    private final long startedAt;
    private long saidAt;
    private long expected;
    private long records;
    private long bytes;

    ConsoleProgress(PrintStream out, LongSupplier nanoTime) {
        this.out = out;
        this.nanoTime = nanoTime;
        this.startedAt = nanoTime.getAsLong();
        this.saidAt = startedAt;
    }

    /** So many records are to be read, at most. */
    void expect(long reads) {
        expected = reads;
    }

    @Override
    public void begins(String what) {
        out.println(what);
    }

    @Override
    public void did(long moreRecords, long moreBytes) {
        records += moreRecords;
        bytes += moreBytes;
        long now = nanoTime.getAsLong();
        if (now - saidAt >= EVERY) {
            saidAt = now;
            out.println("  " + soFar(now) + left(now));
        }
    }

    @Override
    public void said(String sentence) {
        out.println(sentence);
    }

    /** All is done. */
    void over() {
        out.println(soFar(nanoTime.getAsLong()));
    }

    private String soFar(long now) {
        double seconds = Math.max(0.001, (now - startedAt) / 1e9);
        return String.format(
                Locale.ROOT,
                "%,d records and %,d MB read in %,.0f s, %,.0f records a second",
                records,
                bytes / 1_000_000,
                seconds,
                records / seconds);
    }

    /** There may be fewer records than offsets, so it is at most that. */
    private String left(long now) {
        if (expected <= records || records == 0) {
            return "";
        }
        double seconds = (now - startedAt) / 1e9;
        return String.format(Locale.ROOT, ", at most %,.0f s left", seconds * (expected - records) / records);
    }
}
