package millrace.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages of a module do not depend on each other in a circle, in its main code and in its tests. */
class PackagesTest {
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?(millrace(?:\\.[a-z]\\w*)*)\\.([A-Z]\\w*)");

    @Test
    void noPackagesDependOnEachOtherInACircle() throws IOException {
        List<String> circles = new ArrayList<>();
        for (Path root : roots()) {
            circles.addAll(circle(dependencies(root)));
        }
        assertThat(circles).as("packages in circles, and those that need them").isEmpty();
    }

    @Test
    void findsACircle() {
        assertThat(circle(Map.of("a", Set.of("d"), "b", Set.of("c"), "c", Set.of("b"), "d", Set.of())))
                .containsExactly("b", "c");
        assertThat(circle(Map.of("a", Set.of("b", "c"), "b", Set.of("c"), "c", Set.of())))
                .isEmpty();
    }

    /** The packages that are left when those that need none of the others are taken away, again and again. */
    private static Set<String> circle(Map<String, Set<String>> dependencies) {
        Map<String, Set<String>> left = new TreeMap<>(dependencies);
        while (left.values().removeIf(needed -> needed.stream().noneMatch(left::containsKey))) {
            // The next round may free others.
        }
        return left.keySet();
    }

    /** Each package with those of the same root whose classes it imports. */
    private static Map<String, Set<String>> dependencies(Path root) throws IOException {
        Map<String, List<Path>> files = files(root);
        Map<String, Set<String>> dependencies = new TreeMap<>();
        for (var entry : files.entrySet()) {
            Set<String> imported = new TreeSet<>();
            for (Path file : entry.getValue()) {
                IMPORT.matcher(Files.readString(file))
                        .results()
                        // Tests are in packages of the main code, and import its classes, too.
                        .filter(match -> files.getOrDefault(match.group(1), List.of()).stream()
                                .anyMatch(f -> f.endsWith(match.group(2) + ".java")))
                        .map(match -> match.group(1))
                        .filter(name -> !name.equals(entry.getKey()))
                        .forEach(imported::add);
            }
            dependencies.put(entry.getKey(), imported);
        }
        return dependencies;
    }

    /** The main code of each module, and its tests. */
    private static List<Path> roots() throws IOException {
        return Sources.modules().stream()
                .flatMap(module -> Stream.of(module.resolve("src/main/java"), module.resolve("src/test/java")))
                .filter(Files::isDirectory)
                .toList();
    }

    /** The files of each package below a root. */
    private static Map<String, List<Path>> files(Path root) throws IOException {
        Map<String, List<Path>> files = new TreeMap<>();
        try (Stream<Path> found = Files.walk(root)) {
            for (Path file : found.filter(f -> f.toString().endsWith(".java")).toList()) {
                var name = PACKAGE.matcher(Files.readString(file));
                assertThat(name.find()).as("%s names its package", file).isTrue();
                files.computeIfAbsent(name.group(1), p -> new ArrayList<>()).add(file);
            }
        }
        return files;
    }
}
