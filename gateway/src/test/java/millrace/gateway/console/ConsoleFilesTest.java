package millrace.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.gateway.console.ConsoleFiles.Audience;
import millrace.gateway.settings.ConsoleSettings;
import millrace.runtime.settings.Settings;
import millrace.runtime.settings.SettingsException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ConsoleFilesTest {
    private static final ConsoleSettings USUAL = Settings.sectionOf("gateway.console", ConsoleSettings.class, Map.of());

    private static final Path SOURCES = Path.of("src/main/resources/millrace/gateway/console");
    private static final Pattern IMPORT = Pattern.compile("(?:from |import |import\\()'(\\.[^'\n]+)'");
    private static final Pattern ADDRESS = Pattern.compile("(?:href|src)=\"/console/([^\"{]+)\"");

    @TempDir
    Path folder;

    static List<Path> modules() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(f -> f.toString().endsWith(".js")).toList();
        }
    }

    /** Pages of clients, pages of operators, and what both use. */
    private static List<Audience> audiences(Path module) {
        Path path = SOURCES.relativize(module);
        return path.startsWith("operator")
                ? List.of(Audience.OPERATORS)
                : path.startsWith("pages") || path.equals(Path.of("app.js"))
                        ? List.of(Audience.CLIENTS)
                        : List.of(Audience.values());
    }

    @Test
    void modulesImportOthers() throws IOException {
        for (String app : List.of("app.js", "operator/app.js")) {
            assertThat(IMPORT.matcher(Files.readString(SOURCES.resolve(app))).results())
                    .hasSizeGreaterThan(7);
        }
    }

    /** A module that is missing would be noticed by whoever opens its page. */
    @ParameterizedTest
    @MethodSource("modules")
    void everyImportIsServed(Path module) throws IOException {
        List<String> imported = IMPORT.matcher(Files.readString(module))
                .results()
                .map(m -> m.group(1))
                .toList();
        for (Audience audience : audiences(module)) {
            ConsoleFiles files = ConsoleFiles.load(USUAL, audience);
            assertThat(files.file(SOURCES.relativize(module).toString())).isPresent();
            imported.forEach(name -> {
                Path path = module.resolveSibling(name).normalize();
                assertThat(files.file(SOURCES.relativize(path).toString()))
                        .as("%s for %s", name, audience)
                        .isPresent();
            });
        }
    }

    /** Each port has its own pages. */
    @ParameterizedTest
    @MethodSource("modules")
    void nobodyGetsThePagesOfTheOther(Path module) {
        for (Audience audience : Audience.values()) {
            assertThat(ConsoleFiles.load(USUAL, audience)
                            .file(SOURCES.relativize(module).toString())
                            .isPresent())
                    .isEqualTo(audiences(module).contains(audience));
        }
    }

    /** The policy refuses both, and only a browser would say so. */
    @ParameterizedTest
    @MethodSource("modules")
    void noTemplateHasAStyleOrAScriptWithin(Path module) throws IOException {
        assertThat(Files.readString(module))
                .doesNotContain(" style=\"", " style=$", "<script", "<style", "javascript:");
    }

    @ParameterizedTest
    @CsvSource({"CLIENTS, app.js, api-key", "OPERATORS, operator/app.js, admin-key"})
    void thePageNamesWhatIsServed(Audience audience, String script, String header) {
        ConsoleFiles files = ConsoleFiles.load(USUAL, audience);
        List<String> named =
                ADDRESS.matcher(page(files)).results().map(m -> m.group(1)).toList();
        assertThat(page(files)).contains("data-key-header=\"" + header + "\"").doesNotContain("{operator}");
        assertThat(named)
                .contains(script, "console.css")
                .allSatisfy(name -> assertThat(files.file(name)).as(name).isPresent());
    }

    @Test
    void thePageHasTheNameAndTheSupportOfTheOperator() {
        var settings = new ConsoleSettings(true, "Acme \"Data\" <&>", null, URI.create("https://acme.example/?a=1&b"));
        assertThat(page(ConsoleFiles.load(settings, Audience.CLIENTS)))
                .contains("<title>Acme &quot;Data&quot; &lt;&amp;&gt;</title>")
                .contains("data-support=\"https://acme.example/?a=1&amp;b\"")
                .contains("data-logo=\"\"");
    }

    @Test
    void servesTheLogo() throws IOException {
        Path logo = Files.writeString(folder.resolve("acme.svg"), "<svg/>");
        ConsoleFiles files = ConsoleFiles.load(console(logo), Audience.CLIENTS);
        assertThat(page(files)).contains("data-logo=\"logo.svg\"");
        ConsoleFiles.ConsoleFile served = files.file("logo.svg").orElseThrow();
        assertThat(served.content()).asString(StandardCharsets.UTF_8).isEqualTo("<svg/>");
        assertThat(served.type().getName()).isEqualTo("image/svg+xml");
    }

    @Test
    void saysWhatIsWrongWithTheLogo() throws IOException {
        refused(folder.resolve("missing.png"), "gateway.console.logo cannot be read: ");
        refused(
                Files.writeString(folder.resolve("logo.gif"), "GIF"),
                "gateway.console.logo must be a file .svg or .png: ");
        refused(
                Files.write(folder.resolve("large.png"), new byte[300_000]),
                "gateway.console.logo must have at most 256 KiB");
    }

    @Test
    void servesNothingWhereItIsOff() {
        ConsoleFiles files = ConsoleFiles.load(new ConsoleSettings(false, "Millrace", null, null), Audience.OPERATORS);
        assertThat(files.on()).isFalse();
        assertThat(files.file(ConsoleFiles.INDEX)).isEmpty();
        assertThat(files.file("operator/app.js")).isEmpty();
        assertThat(files.file("console.css")).isEmpty();
    }

    @Test
    void servesNothingElseOfTheClassPath() {
        ConsoleFiles files = ConsoleFiles.load(USUAL, Audience.CLIENTS);
        for (String path : List.of(
                "../openapi/operations.yaml",
                "ConsoleFiles.class",
                "index.html",
                "operator/index.html",
                "lib/../app.js",
                "/app.js")) {
            assertThat(files.file(path)).as(path).isEmpty();
        }
    }

    @Test
    void settingsRefuseWhatNobodyCouldUse() {
        assertThatThrownBy(() -> new ConsoleSettings(true, " ", null, null))
                .hasMessageStartingWith("console.operator must have 1 to 60 characters");
        for (String address : List.of("javascript:alert(1)", "help@acme.example", "data:text/html,x")) {
            assertThatThrownBy(() -> new ConsoleSettings(true, "Acme", null, URI.create(address)))
                    .as(address)
                    .hasMessageStartingWith("console.support must be like https://example.com/help");
        }
    }

    private static void refused(Path logo, String sentence) {
        assertThatThrownBy(() -> ConsoleFiles.load(console(logo), Audience.CLIENTS))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(sentence);
    }

    private static ConsoleSettings console(@Nullable Path logo) {
        return new ConsoleSettings(true, "Acme", logo, null);
    }

    private static String page(ConsoleFiles files) {
        return new String(files.file(ConsoleFiles.INDEX).orElseThrow().content(), StandardCharsets.UTF_8);
    }
}
