package millrace.processor.data.importing;

import millrace.processor.data.importing.Import.ImportOptions;
import millrace.processor.data.importing.Import.ImportResult.Checked;
import millrace.processor.data.importing.Import.ImportResult.Imported;
import millrace.processor.warehouse.duckdb.ImportFolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Imports real files, as other tools write them. */
class ImportTest {
    private static final String HEADER = "keyword,country,date,all_keyword_volume\n";
    private static final String ALL = "keyword, country, date, granularity, all_keyword_volume, all_keyword_cpc";

    @TempDir
    private Path folder;

    private ImportFixture loaded;

    @BeforeEach
    void folder() {
        loaded = new ImportFixture(folder);
    }

    @Test
    void readsFilesOfEveryKindAndSorts() throws Exception {
        Path bom = loaded.file(
                "excel.csv",
                "\uFEFFall_keyword_cpc,keyword,country,date,all_keyword_volume\r\n0.5,\"red, \"\"new\"\" shoes\",US,2026-10,7\r\n\r\n,zebra,US,2026-10,\r\n");
        Path gz = loaded.file("more.csv.gz", HEADER + "café,DE,2026-10-01,\n東京,JP,2026-09-01,1.5e3\n");
        Path parquet = loaded.parquet(
                "typed.parquet",
                "SELECT 'ant' AS keyword, 'US' AS country, DATE '2026-10-01' AS date, CAST(3 AS INTEGER) AS all_keyword_volume"
                        + " UNION ALL SELECT 'ant', 'DE', DATE '2026-10-01', NULL");
        Path stamps = loaded.parquet(
                "stamps.parquet",
                "SELECT 'bee' AS keyword, 'US' AS country, TIMESTAMP '2026-10-01' AS date, 0.1::DECIMAL(9, 2) AS all_keyword_cpc");

        Imported done = ImportFixture.imported(loaded.order("keywords", bom, gz, parquet, stamps));

        assertThat(done.rows()).isEqualTo(7);
        assertThat(done.version()).isEqualTo("20261121-061530");
        assertThat(done.missing())
                .containsExactly(
                        "all_keyword_monthly_search_volume", "desktop_keyword_difficulty", "zero_clicks_share");
        assertThat(loaded.rows("keywords", ALL))
                .containsExactly(
                        "ant|DE|2026-10-01|monthly|null|null",
                        "ant|US|2026-10-01|monthly|3.0|null",
                        "bee|US|2026-10-01|monthly|null|0.1",
                        "café|DE|2026-10-01|monthly|null|null",
                        "red, \"new\" shoes|US|2026-10-01|monthly|7.0|0.5",
                        "zebra|US|2026-10-01|monthly|null|null",
                        "東京|JP|2026-09-01|monthly|1500.0|null");
        assertThat(leftOvers("keywords")).isEmpty();
    }

    @Test
    void keepsLineBreaksInQuotesAndCountsLinesRight() throws Exception {
        Path file = loaded.file("urls.csv", """
                domain,country,date,granularity,keyword,desktop_keywords_total_visits,desktop_keywords_top_all_url
                b.example,US,2026-10-05,weekly,low,1,"two
                lines"
                b.example,US,2026-10-06,weekly,low,1,
                b.example,US,2026-10-05,weekly,high,9,x
                """);
        assertThat(loaded.refused(loaded.order("site_keywords", file)))
                .containsExactly(
                        "urls.csv:4: date: 2026-10-06 (Tuesday) does not begin a week; weekly rows are dated by the Monday");

        Files.writeString(file, Files.readString(file).replace("b.example,US,2026-10-06,weekly,low,1,\n", ""));
        ImportFixture.imported(loaded.order("site_keywords", file));
        assertThat(loaded.rows("site_keywords", "keyword, subdomains, desktop_keywords_top_all_url"))
                .containsExactly("high|false|x", "low|false|two\nlines");
    }

    @Test
    void saysAllThatIsWrongAndChangesNothing() throws Exception {
        ImportFixture.imported(loaded.order("keywords", loaded.file("good.csv", HEADER + "a,US,2026-10,1\n")));
        Path first =
                loaded.file("first.csv", HEADER + "a,us,2026-13,x\nb,US,2026-10,1\nc,US,2026-10-02,1\nd,US,2026-10\n");
        Path second = loaded.file("second.csv", HEADER.replace("country", "contry") + "a,US,2026-10,1\n");
        Path third = loaded.file("third.csv", HEADER + "b,US,2026-10-01,2\n\"open,US,2026-10-01,2\n");
        Path broken = loaded.file("broken.parquet", "nothing of the kind");
        Path typed = loaded.parquet(
                "typed.parquet",
                "SELECT 'e' AS keyword, [1] AS country, 20261001 AS date, 'many' AS all_keyword_volume");

        List<String> problems = loaded.refused(loaded.order("keywords", first, second, third, broken, typed));

        assertThat(problems.stream().filter(p -> !p.startsWith("broken.parquet: cannot be read: ")))
                .containsExactly(
                        "first.csv:2: country: \"us\" is not a country code of two upper-case letters; write US",
                        "first.csv:2: date: \"2026-13\" is not in the calendar",
                        "first.csv:2: all_keyword_volume: \"x\" is not a number, for example 1234.5",
                        "first.csv:4: date: 2026-10-02 (Friday) does not begin a month; monthly rows are dated by the first day",
                        "first.csv:5: has 3 cells where the header has 4",
                        "second.csv: column \"contry\" is not known; did you mean country?; accepted: keyword, country, date, granularity,"
                                + " all_keyword_monthly_search_volume, all_keyword_volume, all_keyword_cpc, desktop_keyword_difficulty,"
                                + " zero_clicks_share",
                        "second.csv: column country is missing",
                        "third.csv: cannot be read: Unclosed quoted field at end of input (record starting at line 3)",
                        "typed.parquet: row 1: country: \"[1]\" is not a country code of two upper-case letters, for example US",
                        "typed.parquet: row 1: date: \"20261001\" is not a date; accepted: YYYY-MM-DD, for monthly also YYYY-MM",
                        "typed.parquet: row 1: all_keyword_volume: \"many\" is not a number, for example 1234.5",
                        "third.csv:2: has the same key as first.csv:3: b, US, 2026-10-01, monthly");
        assertThat(problems).hasSize(13);
        assertThat(loaded.rows("keywords", ALL)).containsExactly("a|US|2026-10-01|monthly|1.0|null");
        assertThat(loaded.versions().versions("keywords")).hasSize(1);
        assertThat(leftOvers("keywords")).isEmpty();
    }

    /** A figure out of its range, and one that no request could find, with file, line, column and value. */
    @Test
    void refusesFiguresThatCannotBe() throws Exception {
        Path keywords = loaded.file(
                "keywords.csv",
                "keyword,country,date,desktop_keyword_difficulty\na,US,2026-10,100\nb,US,2026-10,101\nc,US,2026-10,0.5\n");
        assertThat(loaded.refused(loaded.order("keywords", keywords)))
                .containsExactly(
                        "keywords.csv:3: desktop_keyword_difficulty: \"101\" is out of range; accepted: from 1 to 100",
                        "keywords.csv:4: desktop_keyword_difficulty: \"0.5\" is out of range; accepted: from 1 to 100");
        Path traffic = loaded.file("traffic.csv", """
                domain,country,date,granularity,category_id,global_rank,category_sales_performance_revenue
                a.example,US,2026-10-01,monthly,,7,1
                a.example,US,2026-10-01,monthly,3,7,1
                a.example,US,2026-10-01,monthly,4,,1
                """);
        assertThat(loaded.refused(loaded.order("traffic_and_engagement", traffic)))
                .containsExactly(
                        "traffic.csv:3: global_rank: has no figures by category_id; accepted: only where it is 0");
    }

    @Test
    void showsTheFirstHundredProblems() throws Exception {
        String rows =
                IntStream.range(0, 250).mapToObj(i -> "a,US,2026-10-01,x\n").collect(Collectors.joining());
        List<String> problems = loaded.refused(loaded.order("keywords", loaded.file("bad.csv", HEADER + rows)));
        assertThat(problems).hasSize(101).endsWith("and 150 more");

        String same =
                IntStream.range(0, 250).mapToObj(i -> "a,US,2026-10-01,1\n").collect(Collectors.joining());
        assertThat(loaded.refused(loaded.order("keywords", loaded.file("same.csv", HEADER + same))))
                .hasSize(101)
                .contains("same.csv:3: has the same key as same.csv:2: a, US, 2026-10-01, monthly")
                .endsWith("and 149 more");
    }

    @Test
    void saysWhatFilesAreNotTables() throws Exception {
        assertThat(loaded.refused(loaded.order("keywords", loaded.file("empty.csv", ""))))
                .singleElement()
                .asString()
                .startsWith("empty.csv: is empty; its first line must name the columns: keyword, country");
        assertThat(loaded.refused(loaded.order("keywords", loaded.file("header.csv", HEADER))))
                .containsExactly("header.csv: has no rows");
        assertThat(loaded.refused(
                        loaded.order("keywords", loaded.file("keys.csv", "keyword,country,date\na,US,2026-10\n"))))
                .singleElement()
                .asString()
                .startsWith("keys.csv: has no metric; accepted: all_keyword_monthly");
        assertThat(loaded.refused(loaded.order("keywords", loaded.file("twice.csv", "keyword," + HEADER))))
                .containsExactly("twice.csv: column keyword is there twice");
        assertThat(loaded.refused(loaded.order(
                        "keywords", loaded.file("not.csv.gz.gz", "x").resolveSibling("not.csv.gz"))))
                .singleElement()
                .asString()
                .startsWith("not.csv.gz: cannot be read: ");
        Path semicolons = loaded.file("semi.csv", HEADER.replace(',', ';') + "a;US;2026-10;1\n");
        assertThat(loaded.refused(loaded.order("keywords", semicolons)))
                .singleElement()
                .asString()
                .contains("--separator ';'");
        ImportFixture.imported(ImportFixture.separated(loaded.order("keywords", semicolons), ';'));
        assertThat(loaded.rows("keywords", ALL)).containsExactly("a|US|2026-10-01|monthly|1.0|null");
    }

    @Test
    void saysWhatFilesAreNoText() throws Exception {
        ImportFixture.imported(loaded.order("keywords", loaded.file("good.csv", HEADER + "a,US,2026-10,1\n")));
        String table = HEADER + "b,US,2026-10,1\n";
        byte[] gz = Files.readAllBytes(loaded.file("whole.csv.gz", table));
        Path half = Files.write(folder.resolve("half.csv.gz"), Arrays.copyOf(gz, gz.length - 12));
        Path trailer = Files.write(folder.resolve("trailer.csv.gz"), Arrays.copyOf(gz, gz.length - 4));
        Path begun = Files.write(folder.resolve("begun.csv.gz"), Arrays.copyOf(gz, 5));
        Path second = loaded.file("second.csv.gz", HEADER + "c,US,2026-10,1\n");
        Files.write(second, Arrays.copyOf(gz, 7), StandardOpenOption.APPEND);
        Path marked = loaded.file("utf16.csv", ("\uFEFF" + table).getBytes(StandardCharsets.UTF_16LE));
        Path unmarked = loaded.file("bytes.csv", table.getBytes(StandardCharsets.UTF_16BE));
        Path zeros = loaded.file("zeros.csv.gz", new byte[4 << 20]);
        Path quoted = loaded.file("long.csv.gz", HEADER + "x".repeat(2 << 20));
        Path trap = loaded.file("trap.csv.gz", HEADER + "\n".repeat(80 << 20));
        Path nan = loaded.parquet(
                "nan.parquet",
                "SELECT 'e' AS keyword, 'US' AS country, DATE '2026-10-01' AS date, 'NaN'::DOUBLE AS all_keyword_volume");

        String cutOff = ": cannot be read: its gzip data end too early; is the file complete?";
        String zero =
                ": cannot be read: it has bytes that are 0, which no text in UTF-8 has: it is UTF-16, or no CSV file";
        assertThat(loaded.refused(loaded.order(
                        "keywords", half, trailer, begun, second, marked, unmarked, zeros, quoted, trap, nan)))
                .containsExactly(
                        "half.csv.gz" + cutOff,
                        "trailer.csv.gz" + cutOff,
                        "begun.csv.gz" + cutOff,
                        "second.csv.gz" + cutOff,
                        "utf16.csv: cannot be read: it is written in UTF-16; save it as UTF-8",
                        "bytes.csv" + zero,
                        "zeros.csv.gz" + zero,
                        "long.csv.gz: cannot be read: a cell has more than 1,048,576 characters (line 2): a quote is not closed, or it"
                                + " is no CSV file",
                        "trap.csv.gz: cannot be read: it unpacks to more than 500 times its size; it is no CSV file",
                        "nan.parquet: row 1: all_keyword_volume: \"nan\" is not finite; leave the cell empty where there is no figure");
        assertThat(loaded.rows("keywords", ALL)).containsExactly("a|US|2026-10-01|monthly|1.0|null");
    }

    /** Excel leaves out the separators at the end of later rows, too. */
    @Test
    void emptyColumnsAndRowsOfASpreadsheetAreNone() throws Exception {
        Path sheet = loaded.file("sheet.csv", """
                keyword,country,date,all_keyword_volume,,
                red,US,2026-10,1,,
                blue,US,2026-10,,
                green,US,2026-10,3
                ,,,,,
                ,,,
                """);
        ImportFixture.imported(loaded.order("keywords", sheet));
        assertThat(loaded.rows("keywords", "keyword, all_keyword_volume"))
                .containsExactly("blue|null", "green|3.0", "red|1.0");

        Path note = loaded.file("note.csv", """
                keyword,country,date,all_keyword_volume,,
                red,US,2026-10,1,,see below
                blue,US,2026-10
                green,US,2026-10,1,,,
                """);
        Path gap = loaded.file("gap.csv", "keyword,,country,date,all_keyword_volume\nred,,US,2026-10,1\n");
        assertThat(loaded.refused(loaded.order("keywords", note, gap)))
                .containsExactly(
                        "note.csv:2: has \"see below\" in column 6, which has no name",
                        "note.csv:3: has 3 cells where the header has 6",
                        "note.csv:4: has 7 cells where the header has 6",
                        "gap.csv: a column between others has no name");
    }

    /** Tools that are in other parts of the world, and those that write texts without saying that they are. */
    @Test
    void parquetMeansTheSameEverywhere() throws Exception {
        Path file = loaded.parquet(
                "typed.parquet",
                "SELECT encode('women''s shoes, größe') AS keyword, 'US' AS country,"
                        + " TIMESTAMPTZ '2026-10-01 00:00:00+00' AS date, 1 AS all_keyword_volume");
        ImportFixture.imported(loaded.order("keywords", file));
        assertThat(loaded.rows("keywords", "keyword, date")).containsExactly("women's shoes, größe|2026-10-01");

        Path bytes = loaded.parquet(
                "bytes.parquet",
                "SELECT 'red'::BLOB AS keyword, 'US' AS country, DATE '2026-10-01' AS date, 1 AS all_keyword_volume"
                        + " UNION ALL SELECT '\\xFF\\xFE'::BLOB, 'US', DATE '2026-10-01', 1"
                        + " UNION ALL SELECT 'blue'::BLOB, 'US', DATE '2026-10-01', 1");
        assertThat(loaded.refused(loaded.order("keywords", bytes)))
                .singleElement()
                .asString()
                .startsWith("bytes.parquet: row 2: keyword: ")
                .contains("has U+FFFD (REPLACEMENT CHARACTER), which stands where bytes were not UTF-8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a[1].parquet",
                "a*.parquet",
                "a?.parquet",
                "{a,b}.parquet",
                "a'1.parquet",
                "a\"1.parquet",
                "a\\1.parquet",
                "country=DE.parquet"
            })
    void aNameIsNoPattern(String name) throws Exception {
        String one = "SELECT 'red' AS keyword, 'US' AS country, DATE '2026-10-01' AS date, %s AS all_keyword_volume";
        for (String other : List.of("a1.parquet", "ab.parquet", "a.parquet", "b.parquet")) {
            loaded.parquet(other, one.formatted(2));
        }
        Path file = loaded.parquet("plain", one.formatted(1));
        Path named = Files.move(file, folder.resolve(name));
        ImportFixture.imported(loaded.order("keywords", named));
        assertThat(loaded.rows("keywords", "all_keyword_volume")).containsExactly("1.0");
        Files.delete(named);
        assertThat(loaded.refused(loaded.order("keywords", named)))
                .singleElement()
                .asString()
                .startsWith(name + ": cannot be read: ");
    }

    @Test
    void aWarehouseMayHaveAnyName() throws Exception {
        var odd = new ImportFixture(Files.createDirectory(folder.resolve("it's [1] *; \"data\" country=DE")));
        ImportFixture.imported(odd.order("keywords", odd.file("a.csv", HEADER + "red,US,2026-10,1\n")));
        ImportFixture.imported(
                ImportFixture.appending(odd.order("keywords", odd.file("b.csv", HEADER + "blue,US,2026-10,2\n"))));
        assertThat(odd.rows("keywords", "keyword")).containsExactly("blue", "red");
    }

    @Test
    void sevenDayWindowsShareOneGrid() throws Exception {
        String header = "domain,country,date,granularity,keyword,desktop_keywords_total_visits\n";
        Path file = loaded.file(
                "windows.csv",
                header
                        + "a.example,US,2026-10-07,7days,x,1\na.example,US,2026-10-14,7days,x,1\na.example,US,2026-10-20,7days,x,1\n");
        assertThat(loaded.refused(loaded.order("site_keywords", file)))
                .containsExactly(
                        "windows.csv:4: date: 2026-10-20 (Tuesday) overlaps other 7days windows, which begin on Wednesday"
                                + " (windows.csv:2)");
        ImportFixture.imported(loaded.order(
                "site_keywords", loaded.file("first.csv", header + "a.example,US,2026-10-07,7days,x,1\n")));
        Path next = loaded.file("next.csv", header + "a.example,US,2026-10-20,7days,x,1\n");
        assertThat(loaded.refused(ImportFixture.appending(loaded.order("site_keywords", next))))
                .containsExactly(
                        "next.csv:2: date: 2026-10-20 (Tuesday) overlaps other 7days windows, which begin on Wednesday"
                                + " (the data that are there)");
    }

    @Test
    void appendingReplacesRowsOfTheSameKeyAndKeepsTheOthers() throws Exception {
        Imported before = ImportFixture.imported(loaded.order(
                "keywords", loaded.file("old.csv", HEADER + "a,US,2026-09,1\na,US,2026-10,2\nb,US,2026-10,3\n")));
        Path news =
                loaded.file("new.csv", "keyword,country,date,all_keyword_cpc\na,US,2026-10,0.5\na,US,2026-11,0.6\n");

        Imported after = ImportFixture.imported(ImportFixture.appending(loaded.order("keywords", news)));

        assertThat(after.version()).isEqualTo("20261121-061530-2");
        assertThat(after.before()).contains(before.version());
        assertThat(after.read()).isEqualTo(2);
        assertThat(after.rows()).isEqualTo(4);
        assertThat(loaded.rows("keywords", ALL))
                .containsExactly(
                        "a|US|2026-09-01|monthly|1.0|null",
                        "a|US|2026-10-01|monthly|null|0.5",
                        "a|US|2026-11-01|monthly|null|0.6",
                        "b|US|2026-10-01|monthly|3.0|null");
        assertThat(loaded.versions().versions("keywords")).hasSize(2);
    }

    @Test
    void dryRunChecksAlone() throws Exception {
        Path file = loaded.file("good.csv", HEADER + "a,US,2026-10,1\n");
        assertThat(ImportFixture.run(ImportFixture.dry(loaded.order("keywords", file))))
                .isInstanceOfSatisfying(Checked.class, c -> assertThat(c.read()).isEqualTo(1));
        assertThat(loaded.versions().current("keywords")).isEmpty();
    }

    @Test
    void oneImportAtATimeAndNothingIsLeftBehind() throws Exception {
        ImportOptions order = loaded.order("keywords", loaded.file("good.csv", HEADER + "a,US,2026-10,1\n"));
        try (ImportFolder other =
                ImportFolder.open(loaded.warehouse(), "keywords").orElseThrow()) {
            assertThatThrownBy(() -> ImportFixture.run(order))
                    .isInstanceOf(ImportException.class)
                    .hasMessageStartingWith("another import of keywords is running");
            ImportFixture.imported(
                    loaded.order(
                            "demographics",
                            loaded.file(
                                    "other.csv",
                                    "domain,country,date,age_group,gender,demographics_share\na.example,US,2026-10,65+,Male,0.5\n")));
            Files.writeString(other.path().resolve("next"), "half a version");
        }
        Files.writeString(loaded.warehouse().resolve("keywords/.loading/staging"), "of one that was killed");
        ImportFixture.imported(order);
        assertThat(leftOvers("keywords")).isEmpty();
    }

    @Test
    void saysThatTheWarehouseCannotBeWritten() throws Exception {
        Path file = loaded.file("good.csv", HEADER + "a,US,2026-10,1\n");
        Files.write(loaded.warehouse(), "a file".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> ImportFixture.run(loaded.order("keywords", file)))
                .isInstanceOf(ImportException.class)
                .hasMessageContaining("cannot be written")
                .hasMessageEndingWith("; nothing was changed");
    }

    private List<String> leftOvers(String dataset) throws Exception {
        try (Stream<Path> files = Files.list(loaded.warehouse().resolve(dataset).resolve(".loading"))) {
            return files.map(f -> f.getFileName().toString())
                    .filter(f -> !f.equals("lock"))
                    .toList();
        }
    }
}
