package millrace.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prints on which Kafka the tests ran, what they left out because this machine lacks something, and what the build has cost so far
 * in CPU time: the tests of each module with its three dearest classes, then Maven with the compilers. To be started by Maven, at
 * the end, with the root of the project as its argument.
 */
public final class BuildReport {
    private static final int DEAREST = 3;
    private static final Pattern CPU = Pattern.compile("(.*)/target/cpu/[0-9]+\\.csv");
    /** Which Kafka the tests of a module ran on. */
    private static final Pattern KAFKA = Pattern.compile("(.*)/target/kafka-of-tests");
    /** A sentence about each thing that tests left out. */
    private static final Pattern LEFT_OUT = Pattern.compile("(.*)/target/left-out/[^/]+");

    private final Map<String, Map<String, Double>> modules = new TreeMap<>();
    private final Set<String> kafkas = new TreeSet<>();
    private final Set<String> leftOut = new TreeSet<>();

    private BuildReport() {}

    /** @param args the root of the project */
    public static void main(String[] args) throws IOException {
        var report = new BuildReport();
        ProcessHandle maven = ProcessHandle.current().parent().orElseThrow();
        report.read(Path.of(args[0]), maven.info().startInstant().orElse(Instant.EPOCH));
        report.print(CpuTime.of(maven.pid()).total());
    }

    /** @param since the begin of the build: what earlier ones wrote does not count */
    private void read(Path root, Instant since) throws IOException {
        try (Stream<Path> files = Files.find(
                root, 5, (path, a) -> a.lastModifiedTime().toInstant().isAfter(since))) {
            files.sorted().forEach(file -> {
                String name = root.relativize(file).toString();
                Matcher cpu = CPU.matcher(name);
                if (cpu.matches()) {
                    add(cpu.group(1), lines(file));
                } else if (KAFKA.matcher(name).matches()) {
                    kafkas.addAll(lines(file));
                } else if (LEFT_OUT.matcher(name).matches()) {
                    leftOut.addAll(lines(file));
                }
            });
        }
    }

    private void add(String module, List<String> lines) {
        Map<String, Double> classes = modules.computeIfAbsent(module, m -> new LinkedHashMap<>());
        for (String line : lines) {
            int comma = line.lastIndexOf(',');
            classes.merge(line.substring(0, comma), Double.parseDouble(line.substring(comma + 1)), Double::sum);
        }
    }

    private void print(double maven) {
        double tests = 0;
        System.out.println("Integration tests ran on " + String.join(" and ", kafkas) + ".");
        if (!leftOut.isEmpty()) {
            System.out.println("LEFT OUT: " + String.join(" ", leftOut));
        }
        System.out.println("CPU time of this build, in seconds:");
        for (Map.Entry<String, Map<String, Double>> module : modules.entrySet()) {
            double sum = module.getValue().values().stream().mapToDouble(s -> s).sum();
            tests += sum;
            System.out.printf(Locale.ROOT, "  %-22s %6.1f  %s%n", module.getKey(), sum, dearest(module.getValue()));
        }
        System.out.printf(Locale.ROOT, "  %-22s %6.1f%n", "Maven and compilers", Math.max(0, maven - tests));
        System.out.printf(
                Locale.ROOT,
                "  %-22s %6.1f  (%.1f core-minutes)%n",
                "all",
                Math.max(maven, tests),
                Math.max(maven, tests) / 60);
    }

    private static List<String> dearest(Map<String, Double> classes) {
        return classes.entrySet().stream()
                .filter(one -> !one.getKey().isEmpty())
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(DEAREST)
                .map(one -> String.format(Locale.ROOT, "%s %.1f", one.getKey().replaceAll(".*\\.", ""), one.getValue()))
                .toList();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
