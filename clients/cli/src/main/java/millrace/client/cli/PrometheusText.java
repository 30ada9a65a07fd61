package millrace.client.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values that a service shows at {@code /metrics}. */
final class PrometheusText {
    private static final Pattern LINE =
            Pattern.compile("(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(?<labels>.*)})? (?<value>\\S+).*");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]\\w*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final List<Sample> samples = new ArrayList<>();

    private record Sample(String name, Map<String, String> labels, double value) {}

    PrometheusText(List<String> texts) {
        texts.forEach(text -> text.lines()
                .filter(line -> !line.startsWith("#"))
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .forEach(this::add));
    }

    private void add(Matcher line) {
        Map<String, String> labels = new TreeMap<>();
        if (line.group("labels") != null) {
            LABEL.matcher(line.group("labels")).results().forEach(l -> labels.put(l.group(1), l.group(2)));
        }
        try {
            samples.add(new Sample(line.group("name"), labels, Double.parseDouble(line.group("value"))));
        } catch (NumberFormatException e) {
            // +Inf and NaN are Java's Infinity and NaN under other names; neither is shown.
        }
    }

    boolean has(String name) {
        return samples.stream().anyMatch(s -> s.name().equals(name));
    }

    long sum(String name) {
        return Math.round(samples.stream()
                .filter(s -> s.name().equals(name))
                .mapToDouble(Sample::value)
                .sum());
    }

    long max(String name) {
        return Math.round(samples.stream()
                .filter(s -> s.name().equals(name))
                .mapToDouble(Sample::value)
                .max()
                .orElse(0));
    }

    /** The sum for each value of a label. */
    Map<String, Long> sums(String name, String label) {
        Map<String, Long> sums = new TreeMap<>(Comparator.naturalOrder());
        samples.stream()
                .filter(s -> s.name().equals(name))
                .forEach(s -> sums.merge(s.labels().getOrDefault(label, ""), Math.round(s.value()), Long::sum));
        return sums;
    }
}
