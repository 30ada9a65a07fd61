package millrace.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the Markdown files name is there, and their prose is as wide as it should be. */
class DocumentationTest {
    private static final Path DOCS = Sources.ROOT.resolve("docs");
    private static final int COLUMNS = 100;
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
    private static final Pattern CLASS = Pattern.compile("\\b[A-Z]\\w*[a-z]\\w*\\b");
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)`");
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`]+`");
    private static final Pattern STATUS =
            Pattern.compile("(?m)^Status: (accepted|replaced by \\[\\d{4}]\\(\\S+\\)), \\d{4}-\\d{2}(-\\d{2})?$");

    @Test
    void everyRelativeLinkResolves() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            LINK.matcher(Files.readString(page))
                    .results()
                    .map(link -> link.group(1))
                    .filter(target -> !target.contains(":"))
                    .filter(target -> Files.notExists(page.resolveSibling(target)))
                    .forEach(target -> broken.add(Sources.ROOT.relativize(page) + ": " + target));
        }
        assertThat(broken).as("links to files that are not there").isEmpty();
    }

    @Test
    void everyClassOfTheArchitectureExists() throws IOException {
        Set<String> sources = sources();
        String page = Files.readString(DOCS.resolve("architecture.md"));
        assertThat(classes(page)).hasSizeGreaterThan(20).isSubsetOf(sources);
    }

    @Test
    void everyClassThatPagesForContributorsNameExists() throws IOException {
        for (Path page : List.of(
                DOCS.resolve("how-to-change.md"),
                DOCS.resolve("reference/memory.md"),
                Sources.ROOT.resolve("CONTRIBUTING.md"))) {
            List<String> named = NAME.matcher(Files.readString(page))
                    .results()
                    .map(name -> name.group(1))
                    .toList();
            assertThat(named).as("%s", page).hasSizeGreaterThan(5).isSubsetOf(sources());
        }
    }

    @Test
    void findsClassesInCodeOnly() {
        assertThat(classes("The Ledger: `Outbox`, `POST`, `data/x` and\n```\nIntake ─► Workers (rows)\n```\n"))
                .containsExactly("Outbox", "Intake", "Workers");
    }

    @Test
    void proseIsNotWiderThan100Columns() throws IOException {
        List<String> wide = new ArrayList<>();
        for (Path page : pages()) {
            prose(Files.readString(page))
                    .filter(line -> line.codePointCount(0, line.length()) > COLUMNS)
                    .forEach(line -> wide.add(Sources.ROOT.relativize(page) + ": " + line));
        }
        assertThat(wide)
                .as("lines of more than 100 columns; tables and code may be wider")
                .isEmpty();
    }

    @Test
    void everyDecisionHasAStatusAndIsInTheIndex() throws IOException {
        String index = Files.readString(DOCS.resolve("decisions/README.md"));
        for (Path page : pages()) {
            String name = page.getFileName().toString();
            if (page.startsWith(DOCS.resolve("decisions")) && name.matches("\\d{4}-.*")) {
                assertThat(Files.readString(page))
                        .as("%s says below its title: Status: accepted, and since when", name)
                        .containsPattern(STATUS);
                assertThat(index).as("docs/decisions/README.md").contains("](" + name + ")");
            }
        }
    }

    private static List<String> classes(String page) {
        return CODE.matcher(page)
                .results()
                .map(MatchResult::group)
                .flatMap(code -> CLASS.matcher(code).results().map(MatchResult::group))
                .toList();
    }

    /** Lines that can be wrapped: no tables, no code, nothing that is one word. */
    private static Stream<String> prose(String page) {
        String text = page.replaceAll("(?ms)^```.*?^```", "");
        return text.lines()
                .filter(line -> !line.startsWith("|") && !line.startsWith("    "))
                .filter(line -> line.strip().contains(" "));
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> top = Files.list(Sources.ROOT);
                Stream<Path> docs = Files.walk(DOCS);
                Stream<Path> clients = Files.find(Sources.ROOT.resolve("clients"), 2, (file, a) -> a.isRegularFile())) {
            return Stream.of(top, docs, clients)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    /** Names of all classes. Nothing is read below target, which other modules write meanwhile. */
    private static Set<String> sources() throws IOException {
        Set<String> names = new HashSet<>();
        for (Path module : Sources.modules()) {
            try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".java"))
                        .forEach(name -> names.add(name.substring(0, name.length() - ".java".length())));
            }
        }
        return names;
    }
}
