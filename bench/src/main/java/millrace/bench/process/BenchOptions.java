package millrace.bench.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parses {@code --name value} pairs over their defaults. */
public final class BenchOptions {
    private static final String PROFILE = "profile";

    private final Map<String, String> values = new HashMap<>();
    private Set<String> given = Set.of();

    private BenchOptions() {}

    /**
     * Ends the process after {@code --help}, or if an option is not known. All benchmarks have {@code --profile}, a
     * folder for flight recordings of what they measure.
     *
     * @param shorter values of {@code --short}, a run that only shows that the command works
     */
    @SuppressWarnings("SystemOut")
    public static BenchOptions parse(String[] arguments, String defaults, String shorter) throws IOException {
        var options = new BenchOptions();
        options.values.putAll(pairs(List.of(defaults.split(" "))));
        options.values.put(PROFILE, "");
        Set<String> known = Set.copyOf(options.values.keySet());
        String usage = "options and their defaults: " + defaults + "; --short: " + shorter
                + "; --profile folder: flight recordings";
        List<String> given = new ArrayList<>(Arrays.asList(arguments));
        if (given.contains("--help")) {
            System.out.println(usage);
            System.exit(0);
        }
        if (given.remove("--short")) {
            given.addAll(0, List.of(shorter.split(" ")));
        }
        Map<String, String> read = pairs(given);
        if (!known.containsAll(read.keySet())) {
            System.err.println("unknown option among --" + String.join(" --", read.keySet()) + "; " + usage);
            System.exit(2);
        }
        options.values.putAll(read);
        options.given = Set.copyOf(read.keySet());
        if (!options.text(PROFILE).isEmpty()) {
            ChildProcess.recordTo(Path.of(options.text(PROFILE)));
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
