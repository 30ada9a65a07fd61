package millrace.client.cli.output;

import java.io.PrintStream;
import millrace.runtime.cli.TerminalText;
import org.jspecify.annotations.Nullable;

/**
 * What goes on at the moment, on the error stream: on a terminal one line with a bar that is drawn
 * again and again, else a line for each change and each tenth.
 */
public final class Progress implements AutoCloseable {
    private static final int CELLS = 24;
    private static final String TO_LINE_START = "\r";
    private static final String CLEAR_REST = "\u001b[K";

    private final PrintStream err;
    private final Terminal terminal;
    private final boolean quiet;
    private @Nullable String shown;
    private boolean drawn;

    /** @param quiet shows nothing */
    public Progress(PrintStream err, Terminal terminal, boolean quiet) {
        this.err = err;
        this.terminal = terminal;
        this.quiet = quiet;
    }

    /**
     * @param what for example a phase
     * @param fraction from 0 to 1, or negative where it is not known
     * @param rest what else there is to say, which alone is no change
     */
    public synchronized void show(String what, double fraction, String rest) {
        if (quiet) {
            return;
        }
        String change = what + (fraction < 0 ? "" : (int) Math.floor(fraction * 10));
        if (terminal.err()) {
            String line = what
                    + (fraction < 0 ? "" : "  " + bar(fraction) + " " + Words.percent(fraction))
                    + (rest.isEmpty() ? "" : "  " + rest);
            err.print(TO_LINE_START + cut(TerminalText.escaped(line)) + CLEAR_REST);
            err.flush();
            drawn = true;
        } else if (!change.equals(shown)) {
            err.println(TerminalText.escaped(what) + (fraction < 0 ? "" : " " + Words.percent(fraction)));
        }
        shown = change;
    }

    /** A line of its own, which stays. */
    public synchronized void say(String line) {
        if (!quiet) {
            clear();
            err.println(TerminalText.escaped(line));
        }
    }

    /** Takes the bar away. */
    @Override
    public synchronized void close() {
        clear();
    }

    private void clear() {
        if (drawn) {
            err.print(TO_LINE_START + CLEAR_REST);
            err.flush();
            drawn = false;
        }
    }

    private String cut(String line) {
        int most = terminal.width() - 1;
        return line.length() <= most ? line : line.substring(0, most);
    }

    static String bar(double fraction) {
        int full = (int) Math.floor(Math.clamp(fraction, 0, 1) * CELLS);
        return "[" + "#".repeat(full) + ".".repeat(CELLS - full) + "]";
    }
}
