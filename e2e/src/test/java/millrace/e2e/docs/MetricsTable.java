package millrace.e2e.docs;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Formats Millrace's metrics as a Markdown table of name, type, labels and help, from the answer of {@code /metrics}.
 * The maximum of a timer is left out.
 */
final class MetricsTable {
    private static final Pattern HELP = Pattern.compile("(?m)^# HELP (millrace_\\w+) (.*)$");
    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (millrace_\\w+) (\\w+)$");
    private static final Pattern SAMPLE =
            Pattern.compile("(?m)^(millrace_\\w+?)(?:_bucket|_count|_sum)?(?:\\{(.*)})? [^ ]+$");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");
    /** Labels whose values depend on calls, catalog and settings. */
    private static final List<String> OPEN_LABELS =
            List.of("method", "route", "status", "dataset", "folder", "version");

    private MetricsTable() {}

    static String of(String metrics) {
        Map<String, String> types = pairs(TYPE, metrics);
        types.keySet().removeIf(name -> name.endsWith("_max"));
        Map<String, String> help = pairs(HELP, metrics);
        Map<String, Map<String, Set<String>>> labels = labels(metrics);
        return types.entrySet().stream()
                .map(type -> "| `" + type.getKey() + "` | " + type.getValue() + " | "
                        + words(labels.getOrDefault(type.getKey(), Map.of())) + " | " + help.get(type.getKey())
                        + " |\n")
                .collect(Collectors.joining("", "| metric | type | labels | |\n|---|---|---|---|\n", ""));
    }

    private static Map<String, String> pairs(Pattern line, String metrics) {
        Map<String, String> pairs = new TreeMap<>();
        Matcher matcher = line.matcher(metrics);
        while (matcher.find()) {
            pairs.put(matcher.group(1), matcher.group(2));
        }
        return pairs;
    }

    private static Map<String, Map<String, Set<String>>> labels(String metrics) {
        Map<String, Map<String, Set<String>>> labels = new TreeMap<>();
        Matcher sample = SAMPLE.matcher(metrics);
        while (sample.find()) {
            Map<String, Set<String>> of = labels.computeIfAbsent(sample.group(1), name -> new TreeMap<>());
            Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
            while (label.find()) {
                if (!label.group(1).equals("le")) {
                    of.computeIfAbsent(label.group(1), name -> new TreeSet<>()).add(label.group(2));
                }
            }
        }
        return labels;
    }

    private static String words(Map<String, Set<String>> labels) {
        return labels.entrySet().stream()
                .map(label -> "`" + label.getKey() + "`"
                        + (OPEN_LABELS.contains(label.getKey()) ? "" : ": " + String.join(", ", label.getValue())))
                .collect(Collectors.joining("; "));
    }
}
