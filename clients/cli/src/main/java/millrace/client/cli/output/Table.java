package millrace.client.cli.output;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import millrace.runtime.cli.TerminalText;

/**
 * A table for people. Where it is wider than the terminal, columns are cut and the last ones left
 * out, but never the first. A column whose title begins with {@code >} is set right; one that is
 * called status, state, outcome or ready has colours.
 */
public final class Table {
    private static final String GAP = "  ";
    /** A cut column still tells something: a day, the begin of a sentence. */
    private static final int LEAST = 16;

    private static final String BOLD = "\u001b[1m";
    private static final String RED = "\u001b[31m";
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[33m";
    private static final String PLAIN = "\u001b[0m";
    private static final List<String> COLOURED = List.of("status", "state", "outcome", "ready");
    private static final Map<String, String> COLOURS = Map.ofEntries(
            Map.entry("complete", GREEN),
            Map.entry("completed", GREEN),
            Map.entry("delivered", GREEN),
            Map.entry("yes", GREEN),
            Map.entry("processing", YELLOW),
            Map.entry("waiting", YELLOW),
            Map.entry("failed", YELLOW),
            Map.entry("internal_error", RED),
            Map.entry("dead", RED),
            Map.entry("given_up", RED),
            Map.entry("gone", RED),
            Map.entry("no", RED));

    private final List<String> titles = new ArrayList<>();
    private final boolean[] right;
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... titles) {
        this.right = new boolean[titles.length];
        for (int i = 0; i < titles.length; i++) {
            right[i] = titles[i].startsWith(">");
            this.titles.add(right[i] ? titles[i].substring(1) : titles[i]);
        }
    }

    /** @param cells as many as there are titles */
    public Table row(String... cells) {
        if (cells.length != titles.size()) {
            throw new IllegalArgumentException(cells.length + " cells, " + titles.size() + " columns");
        }
        rows.add(List.of(cells).stream().map(TerminalText::escaped).toList());
        return this;
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    public void print(PrintStream out, Terminal terminal) {
        int[] widths = widths(terminal.outputWidth());
        out.println(line(titles, widths, terminal, true));
        rows.forEach(row -> out.println(line(row, widths, terminal, false)));
    }

    /** The widths of the columns that are shown. The first one has what rows are called by. */
    private int[] widths(int most) {
        int[] widths = new int[titles.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = Math.max(
                    length(titles.get(i)),
                    rows.stream().mapToInt(row -> length(row.get(column))).max().orElse(0));
        }
        while (widths.length > 1 && least(widths) > most) {
            widths = Arrays.copyOf(widths, widths.length - 1);
        }
        while (widths.length > 1 && total(widths) > most) {
            int widest = 1;
            for (int i = 2; i < widths.length; i++) {
                widest = widths[i] > widths[widest] ? i : widest;
            }
            widths[widest]--;
        }
        return widths;
    }

    private static long least(int[] widths) {
        int[] least = widths.clone();
        for (int i = 1; i < least.length; i++) {
            least[i] = Math.min(least[i], LEAST);
        }
        return total(least);
    }

    private static long total(int[] widths) {
        return (long) GAP.length() * (widths.length - 1)
                + Arrays.stream(widths).asLongStream().sum();
    }

    private String line(List<String> cells, int[] widths, Terminal terminal, boolean title) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            boolean last = i == widths.length - 1;
            String shown = cut(cells.get(i), widths[i]);
            String space = " ".repeat(widths[i] - length(shown));
            String colour = title ? BOLD : colour(titles.get(i), cells.get(i));
            String painted = terminal.colours() && !colour.isEmpty() ? colour + shown + PLAIN : shown;
            line.append(right[i] ? space + painted : last ? painted : painted + space);
            line.append(last ? "" : GAP);
        }
        return line.toString().stripTrailing();
    }

    private static String colour(String title, String cell) {
        // A status may have its progress behind it.
        return COLOURED.contains(title) ? COLOURS.getOrDefault(cell.split(" ", 2)[0], "") : "";
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String cut(String text, int width) {
        return length(text) <= width ? text : text.substring(0, text.offsetByCodePoints(0, width - 1)) + "…";
    }
}
