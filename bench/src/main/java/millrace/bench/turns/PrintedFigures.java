package millrace.bench.turns;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.bench.process.Measurements;

/**
 * Finds figures in what benchmarks print, also those of other builds. A figure is a number, and its name are the words
 * around it, with those at the beginning of its line: {@code "at 50/s: p50 8.6 ms; 17.9 ms CPU each"} has {@code "at
 * 50/s: p50 … ms"} and {@code "at 50/s: … ms CPU each"}. Other numbers of a name are written out if they are the same in
 * all runs, as settings are. Of a median with its spread only the median counts.
 */
final class PrintedFigures {
    /** Stands for the figure in its name. */
    static final String VALUE = "…";

    /** Stands for a number. */
    private static final String HOLE = "#";

    private static final String NUMBER =
            "-?(?:(?:\\d{1,3}(?:,\\d{3})++|\\d++)(?:\\.\\d++)?+(?:[eE][+-]?\\d++)?+|Infinity|NaN)";
    /** Not what is part of a word, a path or a date. */
    private static final Pattern NUMBERS =
            Pattern.compile("(?<![\\p{L}\\p{N}_.,/+-])" + NUMBER + "(?![\\p{L}\\p{N}_-])");

    private static final Pattern SPREAD = Pattern.compile(" \\(" + NUMBER + " to " + NUMBER + "\\)");
    private static final Pattern BETWEEN = Pattern.compile("[,;:] | \\(|\\)[,;:]? |\\s{2,}|[):]+$");

    private PrintedFigures() {}

    /**
     * Words with holes for their numbers.
     *
     * @param numbers as they are printed
     */
    private record Words(String text, List<String> numbers) {
        static final Words NONE = new Words("", List.of());

        static Words of(String text) {
            return new Words(
                    NUMBERS.matcher(text).replaceAll(HOLE),
                    NUMBERS.matcher(text).results().map(MatchResult::group).toList());
        }

        Words then(Words more) {
            return text.isEmpty()
                    ? more
                    : new Words(
                            text + ": " + more.text,
                            Stream.concat(numbers.stream(), more.numbers.stream())
                                    .toList());
        }
    }

    /** @param figures how many of the numbers, at the end, are figures; those before say of what */
    private record Part(Words words, int figures) {
        double figure(int hole) {
            return Double.parseDouble(words.numbers.get(hole).replace(",", ""));
        }
    }

    /**
     * The figures of each run by their names, in the order in which they are printed. Of a figure that a run prints
     * several times it is the median.
     *
     * @param runs the lines of all runs that are compared
     */
    static List<Map<String, Double>> of(List<List<String>> runs) {
        List<List<Part>> all = runs.stream().map(PrintedFigures::parts).toList();
        Map<String, Boolean> settings = new HashMap<>();
        List<Map<String, Double>> figures = new ArrayList<>();
        for (List<Part> run : all) {
            Map<String, List<Double>> found = new LinkedHashMap<>();
            for (Part part : run) {
                int holes = part.words.numbers.size();
                for (int hole = holes - part.figures; hole < holes; hole++) {
                    found.computeIfAbsent(name(part, hole, all, settings), name -> new ArrayList<>())
                            .add(part.figure(hole));
                }
            }
            Map<String, Double> medians = new LinkedHashMap<>();
            found.forEach(
                    (name, values) -> medians.put(name, Measurements.of(values).median()));
            figures.add(medians);
        }
        return figures;
    }

    private static String name(Part part, int figure, List<List<Part>> all, Map<String, Boolean> settings) {
        var name = new StringBuilder();
        int hole = 0;
        for (String word : part.words.text.splitWithDelimiters(HOLE, -1)) {
            if (!word.equals(HOLE)) {
                name.append(word);
            } else {
                int at = hole++;
                boolean setting = settings.computeIfAbsent(
                        part.words.text + HOLE + at, unused -> isSetting(part.words.text, at, all));
                name.append(at == figure ? VALUE : setting ? part.words.numbers.get(at) : HOLE);
            }
        }
        return name.toString();
    }

    /** Whether the number is the same in all runs, or if it is printed several times the sequence of numbers. */
    private static boolean isSetting(String text, int hole, List<List<Part>> all) {
        return all.stream()
                        .map(run -> run.stream()
                                .filter(part -> part.words.text.equals(text))
                                .map(part -> part.words.numbers.get(hole))
                                .toList())
                        .filter(numbers -> !numbers.isEmpty())
                        .distinct()
                        .count()
                == 1;
    }

    private static List<Part> parts(List<String> lines) {
        List<Part> parts = new ArrayList<>();
        Words section = Words.NONE;
        for (String line : lines) {
            String text = line.strip().replace(HOLE, "");
            int colon = (text + " ").indexOf(": ");
            boolean headed =
                    colon >= 0 && !SPREAD.matcher(text.substring(0, colon)).find();
            List<String> chunks = new ArrayList<>();
            if (headed) {
                chunks.add(text.substring(0, colon).replaceAll("\\s+", " "));
                text = text.substring(colon + 1);
            }
            chunks.addAll(chunks(SPREAD.matcher(text).replaceAll("")));
            Words head = chunks.isEmpty() ? Words.NONE : Words.of(chunks.getFirst());
            if (line.startsWith(" ")) { // belongs to the heading above it
                head = section.then(head);
            } else if (!line.isBlank()) {
                section = headed ? head : Words.NONE;
            }
            add(head, chunks, parts);
        }
        return parts;
    }

    /** Adds the parts of a line; those with the same words are told apart by their number. */
    private static void add(Words head, List<String> chunks, List<Part> parts) {
        Set<String> texts = new HashSet<>();
        for (int i = 0; i < chunks.size(); i++) {
            Words own = Words.of(chunks.get(i));
            Words all = i == 0 ? head : head.then(own);
            int again = 2;
            String text = all.text;
            while (!texts.add(text)) {
                text = all.text + " (" + again++ + ")";
            }
            if (!own.numbers.isEmpty()) {
                parts.add(new Part(new Words(text, all.numbers), own.numbers.size()));
            }
        }
    }

    /** The parts of a text that have a number, each with the words since the one before. */
    private static List<String> chunks(String text) {
        List<String> chunks = new ArrayList<>();
        String waiting = "";
        for (String chunk : BETWEEN.splitAsStream(text).toList()) {
            waiting = (waiting + " " + chunk.strip()).strip();
            if (NUMBERS.matcher(chunk).find()) {
                chunks.add(waiting);
                waiting = "";
            }
        }
        return chunks;
    }
}
