package millrace.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics of our own with their types and labels: as the manual lists them, and as a process has them. */
final class MetricsTable {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(millrace_\\w+)` \\| (\\w+) \\|([^|]*)\\|");
    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (millrace_\\w+) (\\w+)$");
    private static final Pattern SAMPLE =
            Pattern.compile("(?m)^(millrace_\\w+?)(?:_bucket|_count|_sum)?(?:\\{(.*)})? [^ ]+$");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

    private MetricsTable() {}

    /** {@code type [labels]} by name. */
    static Map<String, String> documented() throws IOException {
        Map<String, String> table = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(Path.of("../docs/operations.md")));
        while (row.find()) {
            Set<String> labels = new TreeSet<>();
            for (String label : row.group(3).replace("`", "").split(",", -1)) {
                if (!label.isBlank()) {
                    labels.add(label.strip());
                }
            }
            table.put(row.group(1), row.group(2) + " " + labels);
        }
        return table;
    }

    /** The same from what {@code /metrics} answers. The largest value of a timer, which goes with it, is left out. */
    static Map<String, String> measured(String metrics) {
        Map<String, String> types = new TreeMap<>();
        Matcher type = TYPE.matcher(metrics);
        while (type.find()) {
            types.put(type.group(1), type.group(2));
        }
        Map<String, Set<String>> labels = new TreeMap<>();
        Matcher sample = SAMPLE.matcher(metrics);
        while (sample.find()) {
            Set<String> of = labels.computeIfAbsent(sample.group(1), name -> new TreeSet<>());
            Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
            while (label.find()) {
                of.add(label.group(1));
            }
            of.remove("le");
        }
        Map<String, String> all = new TreeMap<>();
        types.forEach((name, kind) -> {
            if (!name.endsWith("_max")) {
                all.put(name, kind + " " + labels.getOrDefault(name, Set.of()));
            }
        });
        return all;
    }
}
