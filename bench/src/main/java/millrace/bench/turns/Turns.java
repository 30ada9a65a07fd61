package millrace.bench.turns;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.bench.process.Measurements;

/** The figures of two that are measured in turns. Only a pair of the same round says how they compare. */
public final class Turns {
    private final String one;
    private final String other;
    private final List<Map<String, Double>> ofOne = new ArrayList<>();
    private final List<Map<String, Double>> ofOther = new ArrayList<>();

    /** @param one what the other is divided by */
    public Turns(String one, String other) {
        this.one = one;
        this.other = other;
    }

    /** Adds a round: figures by their names. */
    public void add(Map<String, Double> figuresOfOne, Map<String, Double> figuresOfOther) {
        ofOne.add(figuresOfOne);
        ofOther.add(figuresOfOther);
    }

    /** The day and the machine, without which no absolute figure says anything. */
    public static String machine() {
        return String.format(
                Locale.ROOT,
                "%s, %d cores%s, Java %s",
                LocalDate.now(ZoneOffset.UTC),
                Runtime.getRuntime().availableProcessors(),
                processor(),
                Runtime.version().feature());
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> " (" + line.substring(line.indexOf(':') + 1).strip() + ")")
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return ""; // not on Linux
        }
    }

    /**
     * The lines of a table in Markdown: for each figure the values of all rounds, and the median, the least and the
     * greatest of the ratios. Below it are the figures that were the same in all rounds of both.
     */
    public List<String> table() {
        List<String> rows = new ArrayList<>(
                List.of("| figure | %s | %s | %s / %s |".formatted(one, other, other, one), "|---|---|---|---|"));
        List<String> same = new ArrayList<>();
        for (String name : names()) {
            double[] before = values(ofOne, name);
            double[] after = values(ofOther, name);
            if (DoubleStream.concat(DoubleStream.of(before), DoubleStream.of(after))
                            .distinct()
                            .count()
                    == 1) {
                same.add(
                        name.contains(PrintedFigures.VALUE)
                                ? name.replace(PrintedFigures.VALUE, Measurements.text(before[0]))
                                : name + ": " + Measurements.text(before[0]));
            } else {
                rows.add("| %s | %s | %s | %s |"
                        .formatted(name.replace("|", "\\|"), text(before), text(after), ratio(before, after)));
            }
        }
        if (!same.isEmpty()) {
            rows.add("");
            rows.add("the same in all rounds of both: " + String.join("; ", same));
        }
        return rows;
    }

    private Set<String> names() {
        return Stream.of(ofOther, ofOne)
                .flatMap(List::stream)
                .flatMap(round -> round.keySet().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** NaN in a round without the figure. */
    private static double[] values(List<Map<String, Double>> rounds, String name) {
        return rounds.stream()
                .mapToDouble(round -> round.getOrDefault(name, Double.NaN))
                .toArray();
    }

    private static String text(double[] values) {
        return DoubleStream.of(values).allMatch(Double::isNaN)
                ? ""
                : DoubleStream.of(values)
                        .mapToObj(value -> Double.isNaN(value) ? "-" : Measurements.text(value))
                        .collect(Collectors.joining(", "));
    }

    /** Of the rounds in which both have the figure; empty if there is none. Nothing is divided by 0. */
    private static String ratio(double[] before, double[] after) {
        double[] ratios = IntStream.range(0, before.length)
                .mapToDouble(round -> after[round] / before[round])
                .filter(Double::isFinite)
                .toArray();
        return ratios.length == 0 ? "" : Measurements.of(ratios).toString();
    }
}
