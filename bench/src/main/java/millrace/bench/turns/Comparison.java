package millrace.bench.turns;

import static millrace.bench.process.Output.print;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import millrace.bench.process.Folders;

/**
 * Measures a figure of another revision and of this checkout in turns, each by its own {@code bench/run}, and prints
 * how they compare.
 */
public final class Comparison {
    private static final String USAGE = """
            usage: bench/run compare [--rounds 3] <revision> <figure> [arguments of the figure]

            Builds the revision in bench/target/compare, once for each commit, and measures the figure with it and with this
            checkout in turns. Prints the values of all rounds, and the median of the ratios with the least and the greatest.
            Leave the sources alone meanwhile: bench/run builds what has changed.
            """;

    private static final int SHOWN = 30;

    private final Path home;
    private final String figure;
    private final List<String> arguments;

    /** What the user has to mend; its message says it. */
    private static final class Refused extends RuntimeException {
        Refused(String message) {
            super(message);
        }
    }

    /** @param home the root of a checkout */
    private record Build(String name, Path home) {
        String script() {
            return home.resolve("bench/run").toString();
        }
    }

    private record Ended(int code, List<String> lines) {
        String lastLines() {
            return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN), lines.size()));
        }
    }

    private Comparison(Path home, String figure, List<String> arguments) {
        this.home = home;
        this.figure = figure;
        this.arguments = arguments;
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(Arrays.asList(arguments));
        try {
            int rounds = 3;
            if (words.size() > 1 && words.getFirst().equals("--rounds")) {
                rounds = rounds(words.get(1));
                words.subList(0, 2).clear();
            }
            if (words.isEmpty() || words.getFirst().equals("--help")) {
                System.out.print(USAGE);
            } else if (words.size() < 2 || words.getFirst().startsWith("-")) {
                throw new Refused(USAGE);
            } else {
                Path home = Path.of(Objects.requireNonNull(System.getProperty("bench.home")));
                new Comparison(home, words.get(1), words.subList(2, words.size())).run(words.getFirst(), rounds);
            }
        } catch (Refused e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(2);
        }
    }

    private static int rounds(String number) {
        if (!number.matches("[1-9]\\d{0,2}")) {
            throw new Refused("--rounds is a number from 1, and not " + number);
        }
        return Integer.parseInt(number);
    }

    private void run(String revision, int rounds) throws IOException, InterruptedException {
        String commit = commit(revision);
        var before = new Build(commit.substring(0, 8), home.resolve("bench/target/compare/" + commit));
        var now = new Build("this checkout", home);
        extract(commit, before.home);
        for (Build build : List.of(before, now)) {
            print("building %s", build.name);
            build(build);
        }
        List<List<String>> printed = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            for (Build build : List.of(before, now)) {
                print("round %d of %d, %s:", round, rounds, build.name);
                printed.add(measure(build));
            }
        }
        var turns = new Turns(before.name, now.name);
        List<Map<String, Double>> figures = PrintedFigures.of(printed);
        for (int i = 0; i < figures.size(); i += 2) {
            turns.add(figures.get(i), figures.get(i + 1));
        }
        print(
                "%n%s; in turns: %s (%s) and this checkout (%s)%n",
                Turns.machine(), before.name, subject(commit), here());
        print("bench/run compare --rounds %d %s %s%n", rounds, before.name, command());
        turns.table().forEach(row -> print("%s", row));
    }

    private String command() {
        return String.join(
                " ", Stream.concat(Stream.of(figure), arguments.stream()).toList());
    }

    private String commit(String revision) throws IOException, InterruptedException {
        Ended found = git("rev-parse", "--verify", "--quiet", revision + "^{commit}");
        if (found.code != 0 || found.lines.isEmpty()) {
            throw new Refused("there is no revision " + revision + " in " + home + "\n" + found.lastLines());
        }
        return found.lines.getFirst();
    }

    private String subject(String commit) throws IOException, InterruptedException {
        return git("show", "--no-patch", "--format=%cs: %s", commit).lastLines();
    }

    private String here() throws IOException, InterruptedException {
        boolean changed = !git("status", "--porcelain").lines.isEmpty();
        return git("rev-parse", "--short=8", "HEAD").lastLines() + (changed ? " with changes" : "");
    }

    private Ended git(String... arguments) throws IOException, InterruptedException {
        return execute(
                home, Stream.concat(Stream.of("git"), Stream.of(arguments)).toList(), false);
    }

    /** Writes the files of the commit to a folder, if it is not there yet. */
    private void extract(String commit, Path folder) throws IOException, InterruptedException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path unfinished = folder.resolveSibling(commit + ".unfinished");
        if (Files.exists(unfinished)) {
            Folders.delete(unfinished);
        }
        Files.createDirectories(unfinished);
        Path archive = unfinished.resolve("commit.tar");
        for (List<String> command : List.of(
                List.of("git", "archive", "--format=tar", "--output=" + archive, commit),
                List.of("tar", "-xf", archive.toString(), "-C", unfinished.toString()))) {
            Ended ended = execute(home, command, false);
            if (ended.code != 0) {
                throw new Refused("the files of " + commit + " cannot be written:\n" + ended.lastLines());
            }
        }
        Files.delete(archive);
        Files.move(unfinished, folder);
    }

    /** {@code bench/run} builds before it shows the figure's help. */
    private void build(Build build) throws IOException, InterruptedException {
        Ended ended = execute(build.home, List.of(build.script(), figure, "--help"), false);
        if (ended.code != 0) {
            throw new Refused(build.name + " does not build, or has no figure " + figure + "; its last lines:\n"
                    + ended.lastLines());
        }
    }

    /** Returns what it prints. */
    private List<String> measure(Build build) throws IOException, InterruptedException {
        List<String> command = Stream.concat(Stream.of(build.script(), figure), arguments.stream())
                .toList();
        Ended ended = execute(build.home, command, true);
        if (ended.code != 0) {
            throw new Refused("a round of " + build.name + " ended with " + ended.code + "; see above");
        }
        return ended.lines;
    }

    /** @param shown whether its lines are printed as they come; errors are printed, and not returned, then */
    private static Ended execute(Path folder, List<String> command, boolean shown)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder = shown ? builder.redirectError(ProcessBuilder.Redirect.INHERIT) : builder.redirectErrorStream(true);
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process)));
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
                if (shown) {
                    print("  %s", line);
                }
            }
        }
        return new Ended(process.waitFor(), lines);
    }

    /** Ends it and what it has started: a build, or a figure with its services. */
    private static void end(Process process) {
        if (!process.isAlive()) {
            return;
        }
        List<ProcessHandle> all = process.descendants().toList();
        process.destroy();
        all.forEach(ProcessHandle::destroy);
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
