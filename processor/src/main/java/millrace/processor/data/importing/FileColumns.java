package millrace.processor.data.importing;

import millrace.catalog.text.NearestName;
import millrace.catalog.text.Text;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Maps the columns of the table to those of a file, which may have any order. Columns without a name at its end have no
 * texts: spreadsheets write them where the table was wider once.
 *
 * @param at for each column of the table its index in the file, or -1 where the file lacks it
 * @param missing metrics that the file lacks; their cells will be absent
 * @param named number of columns of the file without those at its end that have no name
 * @param all number of columns of the file
 */
record FileColumns(List<Integer> at, List<String> missing, int named, int all) {

    /** Empty where the header has problems, which are added to {@code problems}. */
    public static Optional<FileColumns> of(
            String file, List<String> all, List<TableColumn> table, ImportProblems problems) {
        List<String> header = named(all);
        long before = problems.count();
        List<String> known = table.stream().map(TableColumn::name).toList();
        if (header.size() == 1
                && !known.contains(header.getFirst())
                && header.getFirst().matches(".*[;\\t|].*")) {
            problems.add(
                    file,
                    "has a single column " + Text.quoted(header.getFirst())
                            + "; where ; or TAB separates its cells, say so: --separator ';' or --separator tab");
            return Optional.empty();
        }
        if (header.isEmpty()) {
            problems.add(file, "is empty; its first line must name the columns: " + String.join(", ", known));
            return Optional.empty();
        }
        Set<String> seen = seen(file, header, known, problems);
        for (TableColumn column : table) {
            if (column.required() && !seen.contains(column.name())) {
                problems.add(file, "column " + column.name() + " is missing");
            }
        }
        if (problems.count() > before) {
            return Optional.empty();
        }
        List<String> missing = table.stream()
                .filter(c -> !c.key() && !seen.contains(c.name()))
                .map(TableColumn::name)
                .toList();
        if (missing.size() == table.stream().filter(c -> !c.key()).count()) {
            problems.add(file, "has no metric; accepted: " + Text.list(missing));
            return Optional.empty();
        }
        return Optional.of(new FileColumns(places(header, known), missing, header.size(), all.size()));
    }

    private static List<String> named(List<String> header) {
        int named = header.size();
        while (named > 0 && header.get(named - 1).isBlank()) {
            named--;
        }
        return header.subList(0, named);
    }

    private static Set<String> seen(String file, List<String> header, List<String> known, ImportProblems problems) {
        Set<String> seen = new HashSet<>();
        String accepted = "; accepted: " + String.join(", ", known);
        for (String name : header) {
            if (name.isBlank()) {
                problems.add(file, "a column between others has no name");
            } else if (!known.contains(name)) {
                String meant = NearestName.suggestion(name, known);
                problems.add(file, "column " + Text.quoted(name) + " is not known" + meant + accepted);
                accepted = "";
            } else if (!seen.add(name)) {
                problems.add(file, "column " + name + " is there twice");
            }
        }
        return seen;
    }

    private static List<Integer> places(List<String> header, List<String> known) {
        return IntStream.range(0, known.size())
                .mapToObj(i -> header.indexOf(known.get(i)))
                .collect(Collectors.toUnmodifiableList());
    }
}
