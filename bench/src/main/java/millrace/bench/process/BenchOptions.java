package millrace.bench.process;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parses {@code --name value} pairs over their defaults. */
public final class BenchOptions {
    private final Map<String, String> values = new HashMap<>();
    private Set<String> given = Set.of();

    private BenchOptions() {}

    /** Ends the process after {@code --help}, or where an option is not known. */
    public static BenchOptions parse(String[] arguments, String defaults) {
        return parse(arguments, defaults, "");
    }

    /** @param shorter values of {@code --short}, a run that only shows that the command works */
    public static BenchOptions parse(String[] arguments, String defaults, String shorter) {
        List<String> given = new ArrayList<>(Arrays.asList(arguments));
        if (given.remove("--short") && !shorter.isEmpty()) {
            given.addAll(0, List.of(shorter.split(" ")));
        }
        return parse(given, defaults + (shorter.isEmpty() ? "" : "; --short: " + shorter), defaults);
    }

    @SuppressWarnings("SystemOut")
    private static BenchOptions parse(List<String> given, String usage, String defaults) {
        var options = new BenchOptions();
        options.values.putAll(pairs(List.of(defaults.split(" "))));
        List<String> known = List.copyOf(options.values.keySet());
        if (given.contains("--help")) {
            System.out.println("options and their defaults: " + usage);
            System.exit(0);
        }
        Map<String, String> read = pairs(given);
        options.values.putAll(read);
        options.given = Set.copyOf(read.keySet());
        for (String name : options.values.keySet()) {
            if (!known.contains(name)) {
                System.err.println("unknown option --" + name + "; there are: " + usage);
                System.exit(2);
            }
        }
        return options;
    }

    public String text(String name) {
        return values.getOrDefault(name, "");
    }

    /** Whether the value is the caller's, not a default. */
    boolean isGiven(String name) {
        return given.contains(name);
    }

    public int number(String name) {
        return Integer.parseInt(text(name));
    }

    /** Numbers that are separated by commas. */
    public int[] numbers(String name) {
        return Arrays.stream(text(name).split(",")).mapToInt(Integer::parseInt).toArray();
    }

    private static Map<String, String> pairs(List<String> words) {
        Map<String, String> pairs = new HashMap<>();
        for (int i = 0; i + 1 < words.size(); i += 2) {
            pairs.put(words.get(i).replaceFirst("^--", ""), words.get(i + 1));
        }
        return pairs;
    }
}
