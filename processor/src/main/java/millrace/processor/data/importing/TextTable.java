package millrace.processor.data.importing;


import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Formats a table for a terminal: columns as wide as needed, with two blanks between. */
final class TextTable {
    private TextTable() {}

    /**
     * @param lines each with as many cells as the first
     * @param right indexes of columns that are aligned to the right
     */
    static String text(List<List<String>> lines, Set<Integer> right) {
        int[] widths = IntStream.range(0, lines.getFirst().size())
                .map(i -> lines.stream().mapToInt(l -> l.get(i).length()).max().orElse(0))
                .toArray();
        return lines.stream()
                .map(line -> IntStream.range(0, line.size())
                        .mapToObj(i -> padded(line.get(i), widths[i], right.contains(i)))
                        .collect(Collectors.joining("  "))
                        .stripTrailing())
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** Describes the columns that files of a dataset may have. */
    static String of(List<TableColumn> table) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("column", "type", "needed"));
        table.forEach(c -> lines.add(List.of(c.name(), c.accepted(), c.needed())));
        return text(lines, Set.of());
    }

    private static String padded(String text, int width, boolean right) {
        String blanks = " ".repeat(width - text.length());
        return right ? blanks + text : text + blanks;
    }
}
