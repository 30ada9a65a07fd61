package millrace.processor.data.importing;

import millrace.catalog.text.Text;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Prints the progress of an import: on a terminal in one line that is updated, elsewhere as a line now and then. Prints
 * nothing for short imports.
 */
final class ImportProgress {
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration ON_TERMINAL = Duration.ofMillis(200);
    private static final Duration IN_LOG = Duration.ofSeconds(10);
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintStream out;
    private final boolean terminal;
    private final LongSupplier nanos;
    private long next;

    /** @param nanos a clock that does not go back, as {@link System#nanoTime} */
    public ImportProgress(PrintStream out, boolean terminal, LongSupplier nanos) {
        this.out = out;
        this.terminal = terminal;
        this.nanos = nanos;
        this.next = nanos.getAsLong() + (terminal ? SOON : IN_LOG).toNanos();
    }

    /** @param fraction of the file, from 0 to 1 */
    void reading(String file, long rows, double fraction) {
        long now = nanos.getAsLong();
        if (now - next < 0) {
            return;
        }
        next = now + (terminal ? ON_TERMINAL : IN_LOG).toNanos();
        say(String.format(Locale.ROOT, "reading %s: %3.0f %%, %s rows", file, fraction * 100, Text.number(rows)));
    }

    /** To be called after a file has been read. */
    void read(String file, long rows) {
        if (terminal) {
            clear();
            out.println(file + ": " + Text.number(rows) + " rows");
        }
    }

    /** To be called when a step begins whose progress is unknown. */
    void phase(String words) {
        if (terminal) {
            say(words + " …");
        } else if (nanos.getAsLong() - next >= 0) {
            say(words);
        }
    }

    /** Clears the line; to be called before anything else is printed. */
    public void clear() {
        if (terminal) {
            out.print(CLEAR_LINE);
            out.flush();
        }
    }

    private void say(String words) {
        if (terminal) {
            out.print(CLEAR_LINE + words);
        } else {
            out.println(words);
        }
        out.flush();
    }
}
