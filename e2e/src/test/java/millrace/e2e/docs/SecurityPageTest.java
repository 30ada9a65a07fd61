package millrace.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each line of the table of threats names an existing test. */
class SecurityPageTest {
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))`");

    @Test
    void everyThreatHasATest() throws IOException {
        Set<String> tests = tests();
        List<String> threats = Files.readAllLines(Path.of("../docs/security.md")).stream()
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| ") && !line.startsWith("| threat"))
                .toList();
        assertThat(threats).hasSizeGreaterThan(10).allSatisfy(threat -> {
            List<String> named =
                    TEST.matcher(threat).results().map(r -> r.group(1)).toList();
            assertThat(tests).containsAll(named);
            assertThat(!named.isEmpty() || threat.endsWith("| the build itself |"))
                    .isTrue();
        });
    }

    private static Set<String> tests() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(".."))) {
            return files.filter(file -> file.toString().contains("src/test/java"))
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        }
    }
}
