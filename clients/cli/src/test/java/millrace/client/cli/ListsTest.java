package millrace.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import millrace.client.cli.output.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How options become a request; {@code validate --show} prints it and asks nobody. */
class ListsTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            list.txt  | a.example\\nb.example                        | ["a.example","b.example"]
            list.txt  | \uFEFFa.example\\r\\n\\r\\n  b.example  \\r\\n | ["a.example","b.example"]
            list.txt  | running shoes, red\\n"say ""hi"", all",7\\n# 1 | ["running shoes, red","say \\"hi\\", all","# 1"]
            list.csv  | a.example,US\\nb.example,GB\\n             | ["a.example","b.example"]
            list.CSV  | country,Keyword\\nUS,"shoes, red"\\nGB,boots | ["shoes, red","boots"]
            list.csv  | keywords;n\\n"a;b";2\\n"two\\nlines";3      | ["a;b","two\\nlines"]
            """)
    void readsListsFromFiles(String name, String text, String expected) throws IOException {
        Path file = Files.writeString(
                folder.resolve(name), text.replace("\\n", "\n").replace("\\r", "\r"));
        assertThat(shown("--keywords", "@" + file)).contains("\"keywords\":" + expected.replace("\\\\", "\\"));
    }

    @Test
    void readsListsAsTypedAndFromTheStandardInput() {
        assertThat(shown("--domains", "a.example, b.example", "--domains", "c.example"))
                .contains("\"domains\":[\"a.example\",\"b.example\",\"c.example\"]");
        assertThat(shown("--keywords", "\"shoes, red\",boots")).contains("\"keywords\":[\"shoes, red\",\"boots\"]");
        var typed = new Typed(folder).environment("MILLRACE_KEY", "k").in("one\ntwo\n");
        assertThat(compact(typed.run("validate", "keywords", "--show", "--keywords", "@-")))
                .contains("\"keywords\":[\"one\",\"two\"]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            limit=100                         | {"limit":100}
            subdomains=true                   | {"subdomains":true}
            age_groups=["18-24"]              | {"age_groups":["18-24"]}
            keywords=["@home","-x"]           | {"keywords":["@home","-x"]}
            filters.genders=["Male"]          | {"filters":{"genders":["Male"]}}
            start_date=2026-01-31             | {"start_date":"2026-01-31"}
            csv_safety=spreadsheet            | {"csv_safety":"spreadsheet"}
            text="100"                        | {"text":"100"}
            text=a=b                          | {"text":"a=b"}
            """)
    void anyFieldPassesThrough(String field, String expected) {
        assertThat(shown("--set", field)).isEqualTo(expected);
    }

    @Test
    void aFieldMayHaveAListFromAFile() throws IOException {
        Path apps = Files.writeString(folder.resolve("apps.txt"), "com.example.one\ncom.example.two\n");
        assertThat(shown("--set", "apps=@" + apps)).isEqualTo("{\"apps\":[\"com.example.one\",\"com.example.two\"]}");
    }

    @Test
    void optionsChangeTheRequestOfAFile() throws IOException {
        Path request = Files.writeString(
                folder.resolve("request.json"),
                "{\"domains\":[\"a.example\"],\"granularity\":\"daily\",\"x\":{\"y\":1}}");
        assertThat(shown("--request", request.toString(), "--from", "2026-01", "--set", "x.z=2", "--max-credits", "7"))
                .isEqualTo("{\"domains\":[\"a.example\"],\"granularity\":\"daily\",\"x\":{\"y\":1,\"z\":2},"
                        + "\"start_date\":\"2026-01\",\"max_credits\":7}");
    }

    @Test
    void whatReportsHaveBesideTheirRowsHasOptions() {
        assertThat(shown(
                        "--from",
                        "2026-01",
                        "--latest",
                        "--report-name",
                        "weekly audience",
                        "--retention-days",
                        "60",
                        "--sort",
                        "domain"))
                .isEqualTo("{\"start_date\":\"2026-01\",\"latest\":true,\"report_name\":\"weekly audience\","
                        + "\"retention_days\":60,\"sort\":\"domain\",\"granularity\":\"monthly\"}");
    }

    @Test
    void aWindowAndTagsHaveOptions() throws IOException {
        assertThat(shown("--window", "3m", "--tag", "team=seo", "--tag", "client=A=B"))
                .isEqualTo("{\"window_size\":\"3m\",\"tags\":{\"team\":\"seo\",\"client\":\"A=B\"}}");
        assertThat(shown("--all-history")).isEqualTo("{\"all_history\":true}");
        Path request = Files.writeString(folder.resolve("request.json"), "{\"tags\":{\"team\":\"seo\"}}");
        assertThat(shown("--request", request.toString(), "--tag", "client=ACME"))
                .isEqualTo("{\"tags\":{\"team\":\"seo\",\"client\":\"ACME\"}}");
    }

    @Test
    void monthsMeanMonthly() {
        assertThat(shown("--from", "2026-01", "--to", "2026-02")).contains("\"granularity\":\"monthly\"");
        assertThat(shown("--from", "2026-01-01")).doesNotContain("granularity");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            --domains @none.txt         | 1 | none.txt cannot be read: there is no none.txt
            --domains @empty.txt        | 2 | empty.txt has nothing in it
            --set limit                 | 2 | --set needs a field and a value, like --set limit=100: limit
            --set a=1 --set a.b=2       | 2 | --set a.b=2: a is no object
            --request list.txt          | 2 | list.txt is no JSON: Unrecognized token
            --max-credits lots          | 2 | Invalid value for option '--max-credits': 'lots' is not a long; try --help
            --tag seo                   | 2 | Value for option
            --contries US               | 2 | Unknown options: '--contries', 'US'; did you mean --countries?; try --help
            """)
    void saysWhatIsWrong(String options, int code, String sentence) throws IOException {
        Files.writeString(folder.resolve("empty.txt"), "\n");
        Files.writeString(folder.resolve("list.txt"), "a.example");
        Typed.Result refused = new Typed(folder)
                .environment("MILLRACE_KEY", "k")
                .run(("validate demographics --show "
                                + options.replaceAll("(@| )([a-z]+\\.txt)", "$1" + folder + "/$2"))
                        .split(" ", -1));
        assertThat(refused.err().replace(folder + "/", "")).startsWith("millrace validate: " + sentence);
        assertThat(refused.code()).isEqualTo(code);
    }

    /** A report of letters that nobody meant costs as much as another one. */
    @Test
    void refusesWhatIsNotUtf8() throws IOException {
        Path latin = Files.write(
                folder.resolve("list.txt"), "a.example\nz\u00fcrich.example\n".getBytes(StandardCharsets.ISO_8859_1));
        for (String[] options : new String[][] {
            {"--domains", "@" + latin}, {"--set", "apps=@" + latin}, {"--request", latin.toString()},
        }) {
            Typed.Result refused = typed().run(validate(options));
            assertThat(refused.code()).isEqualTo(1);
            assertThat(refused.err())
                    .isEqualTo("millrace validate: " + latin + " cannot be read: line 2 is not UTF-8, or has a letter"
                            + " that was lost before (U+FFFD); save it as UTF-8, for example with iconv -f LATIN1 -t"
                            + " UTF-8\n");
        }
        Typed.Result typed = typed().run(validate("--domains", "z\uFFFD\uFFFDrich.example"));
        assertThat(typed.code()).isEqualTo(2);
        assertThat(typed.err())
                .matches("millrace: argument 5 is not text in the encoding of this locale, .*; set LC_ALL=C.UTF-8, or"
                        + " give it in a file\n");
    }

    @Test
    void readsWhatHasAMark() throws IOException {
        for (Charset encoding : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            Path list = Files.write(
                    folder.resolve("list.csv"), "\uFEFFdomain,n\r\nz\u00fcrich.example,1\r\n".getBytes(encoding));
            assertThat(shown("--domains", "@" + list)).contains("\"domains\":[\"z\u00fcrich.example\"]");
            Path key = Files.write(folder.resolve("key.txt"), "\uFEFFk-1\r\n".getBytes(encoding));
            assertThat(shown("--key", "@" + key, "--from", "2026-01-01")).contains("start_date");
        }
    }

    private Typed typed() {
        return new Typed(folder).environment("MILLRACE_KEY", "k");
    }

    private static String[] validate(String... options) {
        return Stream.concat(Stream.of("validate", "demographics", "--show"), Stream.of(options))
                .toArray(String[]::new);
    }

    private String shown(String... options) {
        return compact(typed().run(validate(options)));
    }

    private static String compact(Typed.Result shown) {
        assertThat(shown.err()).isEmpty();
        try {
            return Json.read(shown.out()).toString();
        } catch (JsonProcessingException e) {
            throw new AssertionError(shown.out(), e);
        }
    }
}
