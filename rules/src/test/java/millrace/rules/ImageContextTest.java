package millrace.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The Dockerfile builds from what .dockerignore lets through: modules that are missing there are noticed here. */
class ImageContextTest {
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    /** The module's own comes first, then those it depends on. */
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(millrace-[a-z0-9-]+)</artifactId>");

    private static final Pattern INCLUDED = Pattern.compile("<include>([^<]+)</include>");
    private static final Pattern BUILT = Pattern.compile("ARG MODULES=(\\S+)");

    @Test
    void hasThePomOfEachModule() throws IOException {
        Set<String> let = letThrough();
        assertThat(modules()).hasSizeGreaterThan(10).allSatisfy(module -> assertThat(covered(let, module + "/pom.xml"))
                .as(".dockerignore lets %s/pom.xml through", module)
                .isTrue());
    }

    @Test
    void hasTheSourcesOfWhatTheImagesHold() throws IOException {
        Set<String> let = letThrough();
        List<String> modules = modules();
        Map<String, String> folders =
                modules.stream().collect(Collectors.toMap(ImageContextTest::ownArtifact, Function.identity()));
        String built = first(BUILT, Files.readString(Sources.ROOT.resolve("Dockerfile")));
        Deque<String> open = new ArrayDeque<>(Arrays.asList(built.split(",")));
        Set<String> needed = new TreeSet<>();
        while (!open.isEmpty()) {
            String module = open.remove();
            if (needed.add(module)) {
                artifacts(module).stream().skip(1).map(folders::get).forEach(open::add);
            }
        }
        assertThat(needed).contains("gateway", "libs/contracts", "clients/cli");
        assertThat(needed).allSatisfy(module -> assertThat(covered(let, module + "/src/main"))
                .as(".dockerignore lets %s/src/main through", module)
                .isTrue());
    }

    /** Pages that the gateway serves; Maven passes over those that are missing. */
    @Test
    void hasTheDocumentsThatTheGatewayPacks() throws IOException {
        Set<String> let = letThrough();
        List<String> packed = INCLUDED.matcher(Files.readString(Sources.ROOT.resolve("gateway/pom.xml")))
                .results()
                .map(found -> "docs/" + found.group(1).replaceFirst("/[*].*", ""))
                .toList();
        assertThat(packed).contains("docs/guides", "docs/operations.md").allSatisfy(file -> assertThat(
                        covered(let, file))
                .as(".dockerignore lets %s through", file)
                .isTrue());
    }

    private static List<String> modules() throws IOException {
        return MODULE.matcher(Files.readString(Sources.ROOT.resolve("pom.xml")))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static String ownArtifact(String module) {
        return artifacts(module).getFirst();
    }

    private static List<String> artifacts(String module) {
        try {
            return ARTIFACT.matcher(
                            Files.readString(Sources.ROOT.resolve(module).resolve("pom.xml")))
                    .results()
                    .map(found -> found.group(1))
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Set<String> letThrough() throws IOException {
        return Files.readAllLines(Sources.ROOT.resolve(".dockerignore")).stream()
                .filter(line -> line.startsWith("!"))
                .map(line -> line.substring(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether the path or a folder above it is let through. */
    private static boolean covered(Set<String> let, String path) {
        Path part = Path.of(path);
        while (part != null) {
            if (let.contains(part.toString())) {
                return true;
            }
            part = part.getParent();
        }
        return false;
    }

    private static String first(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .findFirst()
                .orElseThrow();
    }
}
