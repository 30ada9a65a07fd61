package millrace.processor.data.importing;

import millrace.contracts.Json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands as an operator types them, and their output. */
class ImportCommandsTest {
    @TempDir
    private Path folder;

    private record Answer(int code, String out, String err) {}

    /** The files that the lines name. */
    @BeforeEach
    void files() throws Exception {
        var loaded = new ImportFixture(folder);
        loaded.file("good.csv", "keyword,country,date,all_keyword_volume\na,US,2026-09,1\nb,DE,2026-10,2\n");
        Files.createSymbolicLink(folder.resolve("device.parquet"), Path.of("/dev/null"));
        loaded.file("bad.csv", "keyword,country,date,all_keyword_volume\na,US,2026-09,x\n");
        loaded.file("sites.csv", """
                domain,country,date,granularity,keyword,desktop_keywords_total_visits
                a.example,US,2026-10-05,weekly,x,1
                a.example,US,2026-10-07,7days,x,1
                """);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            import                                   | 2 | millrace import: Missing required parameter: '<dataset>'; try --help
            import keywords                          | 2 | millrace import: which files? millrace import keywords <file>…; try --help
            import keyword $/good.csv                | 2 | millrace import: there is no dataset "keyword"; did you mean keywords?; known: demographics, audience_interests, keywords, site_keywords, traffic_and_engagement
            import keywords $/no.csv                 | 2 | millrace import: there is no file $/no.csv that can be read
            import keywords $                        | 2 | millrace import: there is no file $ that can be read
            import keywords $/device.parquet         | 2 | millrace import: $/device.parquet is a pipe or a device, from which Parquet cannot be read
            import keywords $/good.csv --apend       | 2 | millrace import: Unknown option: '--apend'; did you mean --append?; try --help
            import keywords $/good.csv --data        | 2 | millrace import: Missing required parameter for option '--data' (<folder>); try --help
            import keywords $/good.csv --memory=lots | 2 | millrace import: --memory is a size such as 512MB or 2GB, not "lots"
            import keywords $/good.csv --separator=x | 2 | millrace import: --separator is one character such as , or ; or the word tab, not "x"
            import keywords $/good.csv --catalog=$/no | 2 | millrace import: $/no: cannot be listed: java.nio.file.NoSuchFileException: $/no
            import keywords $/good.csv --data=$/good.csv | 3 | millrace import: the warehouse $/good.csv/warehouse cannot be written: java.nio.file.FileSystemException: $/good.csv/warehouse: Not a directory; nothing was changed
            versions keyword                         | 2 | millrace versions: there is no dataset "keyword"; did you mean keywords?; known: demographics, audience_interests, keywords, site_keywords, traffic_and_engagement
            versions --use keywords                  | 2 | millrace versions: --use needs a dataset and a version: --use keywords@<version>; try: millrace versions
            versions --use keywords@1                | 2 | millrace versions: there is no version "1" of keywords; there are:
            """)
    void saysInOneLineWhatIsWrong(String line, int code, String sentence) {
        Answer answer = run(line);
        assertThat(answer.err().strip()).isEqualTo(filled(sentence));
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.out()).isEmpty();
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void importsShowsAndGoesBack() throws Exception {
        assertThat(run("import keywords $/bad.csv --data=$/data").code()).isEqualTo(1);
        assertThat(run("versions --data $/data").out()).startsWith("there are no data of demographics,");

        assertThat(run("import keywords $/good.csv --data $/data").out()).matches("keywords@\\S+ is current: 2 rows\n");
        assertThat(run("import site_keywords $/sites.csv --data $/data --dry-run")
                        .out())
                .isEqualTo("2 rows are right; nothing was changed, as --dry-run asks\n");
        run("import site_keywords $/sites.csv --data $/data");
        run("import keywords $/good.csv --data $/data --append");
        Files.writeString(folder.resolve("data/warehouse/keywords/broken.duckdb"), "no database");

        assertThat(run("versions --data $/data")
                        .out()
                        .replaceAll("@[0-9-]+ *", "@v  ")
                        .replaceAll("[0-9]+ KB", "n KB"))
                .contains("*  keywords@v  2  n KB  monthly", "2, 2026-09-01 to 2026-10-01  DE US\n")
                .contains("*  site_keywords@v  1  n KB  7days", "1, 2026-10-07 to 2026-10-07  US\n")
                .contains("   keywords@broken", "cannot be read: ");
        JsonNode all = Json.MAPPER.readTree(
                run("versions keywords --json --data $/data").out());
        assertThat(all).hasSize(3);
        assertThat(all.get(1).path("current").asBoolean()).isTrue();
        assertThat(all.get(1).path("rows").asLong()).isEqualTo(2);
        assertThat(all.get(1).path("periods").get(0).path("first").asText()).isEqualTo("2026-09-01");

        String first = all.get(0).path("version").asText();
        assertThat(run("versions --use keywords@" + first + " --data $/data").out())
                .isEqualTo("keywords@" + first + " is current\n");
        assertThat(new ImportFixture(folder.resolve("data")).versions().current("keywords"))
                .contains(first);
        Files.writeString(folder.resolve("data/warehouse/keywords/current"), "");
        Answer damaged = run("versions --data $/data");
        assertThat(damaged.code()).isEqualTo(3);
        assertThat(damaged.out()).contains("keywords@" + first).doesNotContain("*  keywords@");
        assertThat(damaged.err()).contains("current does not say which version of keywords is current: it is empty");
        assertThat(run("versions --use keywords@" + first + " --data $/data").code())
                .isZero();
        assertThat(run("versions --data $/data").code()).isZero();
        Files.delete(folder.resolve("data/warehouse/keywords/" + first + ".duckdb"));
        assertThat(run("import keywords $/good.csv --data $/data --append").err())
                .startsWith("millrace import: there is nothing to append to: ")
                .contains("there is no version " + first);
        assertThat(run("import keywords $/good.csv --data $/data").code()).isZero();
        assertThat(run("versions --data $/data").code()).isZero();
    }

    @Test
    void readsTheSettingsOfTheService() throws Exception {
        Map<String, String> container = Map.of("MILLRACE_PROCESSOR_WAREHOUSE", filled("$/elsewhere"));
        assertThat(run("import keywords $/good.csv", container).code()).isZero();
        assertThat(folder.resolve("elsewhere/keywords/current")).exists();
        assertThat(run("versions", container).out()).contains("*  keywords@");
        assertThat(run("versions --data $/data", container).out()).startsWith("there are no data");
    }

    @Test
    void helps() {
        assertThat(run("import --help").out()).contains("--append", "--dry-run", "Exit codes");
        assertThat(run("versions -h").out()).contains("--json", "--use");
        assertThat(run("import site_keywords --columns").out()).contains("keyword ", "weekly, 7days");
    }

    @Test
    void aLostOutputIsTold() {
        for (String line : List.of(
                "import keywords --columns",
                "import keywords $/good.csv --data $/data",
                "import keywords $/good.csv --data $/data --dry-run",
                "versions --data $/data",
                "versions --data $/data --json",
                "versions --help")) {
            var full = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
            full.close();
            Answer answer = run(line, Map.of(), full);
            assertThat(answer.code()).as(line).isEqualTo(4);
            assertThat(answer.err()).contains("the output could not be written");
        }
    }

    private Answer run(String line) {
        return run(line, Map.of());
    }

    private Answer run(String line, Map<String, String> environment) {
        var out = new ByteArrayOutputStream();
        Answer answer = run(line, environment, new PrintStream(out, true, StandardCharsets.UTF_8));
        return new Answer(answer.code(), out.toString(StandardCharsets.UTF_8), answer.err());
    }

    private Answer run(String line, Map<String, String> environment, PrintStream outStream) {
        var err = new ByteArrayOutputStream();
        String[] words = filled(line).split(" +");
        String[] arguments = Stream.of(words).skip(1).toArray(String[]::new);
        var errStream = new PrintStream(err, true, StandardCharsets.UTF_8);
        int code = words[0].equals("import")
                ? ImportMain.run(arguments, environment, outStream, errStream)
                : VersionsMain.run(arguments, environment, outStream, errStream);
        return new Answer(code, "", err.toString(StandardCharsets.UTF_8));
    }

    private String filled(String text) {
        return text.replace("$", folder.toString());
    }
}
