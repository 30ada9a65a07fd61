package millrace.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Nothing depends on the machine's time zone, locale or charset: two machines make the same of the same bytes. Error Prone
 * finds a part of these, but not in the client for Java, and none of the formats.
 */
class MachineDefaultsRuleTest {
    /** The arguments of a call, as long as there is no comma among them. */
    private static final String ONE_ARGUMENT = "\\((?:[^(),]|\\([^()]*\\))*\\)";

    private static final List<Pattern> DEFAULTS = List.of(
            // time zones
            Pattern.compile("ZoneId\\.systemDefault|TimeZone\\.getDefault|Clock\\.systemDefaultZone"),
            Pattern.compile("\\b(?:Local(?:Date|Time|DateTime)|(?:Zoned|Offset)DateTime|Year|YearMonth)\\.now\\(\\)"),
            Pattern.compile("Calendar\\.getInstance\\(\\)|new (?:GregorianCalendar|SimpleDateFormat)\\b"),
            // the dates of java.sql are midnights of the machine's zone, of which some do not exist
            Pattern.compile("\\bjava\\.sql\\.(?:Date|Time)\\b|\\b(?:Date|Time|Timestamp)\\.valueOf\\("),
            Pattern.compile("\\.get(?:Date|Time|Timestamp)\\([a-z0-9 +]+\\)"),
            // DuckDB and the drivers take the machine's zone for the session
            Pattern.compile("DriverManager\\.getConnection|new HikariConfig\\b"),
            // locales
            Pattern.compile("Locale\\.getDefault|\\.to(?:Lower|Upper)Case\\(\\)|\\.formatted\\("),
            Pattern.compile("(?:String\\.format|\\.printf)\\((?!\\s*Locale\\b)"),
            Pattern.compile("DateTimeFormatter\\s*\\.ofPattern" + ONE_ARGUMENT),
            Pattern.compile("(?:Number|Message|Decimal)Format\\b(?!Exception)|\\bCollator\\b"),
            // charsets
            Pattern.compile("Charset\\.defaultCharset|\\.getBytes\\(\\)|new File(?:Reader|Writer)\\b"),
            Pattern.compile(
                    "new (?:InputStreamReader|OutputStreamWriter|PrintStream|PrintWriter|Scanner)" + ONE_ARGUMENT));

    /** By the beginning of the path, why these may. */
    private static final Map<String, String> ALLOWED = Map.of(
            "bench/", "prints measurements for the person at this machine",
            "libs/testing/", "opens connections for tests, which choose the zone",
            "processor/src/main/java/millrace/processor/warehouse/duckdb/DuckDb.java", "sets the zone",
            "processor/src/main/java/millrace/processor/warehouse/jdbc/JdbcWarehouse.java", "JdbcEngine sets the zone");

    @Test
    void nothingDependsOnTheMachine() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : Sources.main()) {
            String path = Sources.ROOT.relativize(file).toString();
            if (ALLOWED.keySet().stream().noneMatch(path::startsWith)) {
                defaults(Files.readString(file)).forEach(use -> found.add(path + ": " + use));
            }
        }
        assertThat(found)
                .as("say the zone (UTC), the locale (Locale.ROOT) or the charset (UTF-8); DuckDb opens DuckDB")
                .isEmpty();
    }

    @Test
    void findsWhatLeavesItToTheMachine() {
        assertThat(defaults("""
                // LocalDate.now() in a comment
                String text = "Locale.getDefault";
                var a = LocalDate.now();
                var b = LocalDate.now(clock);
                var c = name.toLowerCase();
                var d = name.toLowerCase(Locale.ROOT);
                var e = String.format("%d", n) + String.format(
                        Locale.ROOT, "%d", n);
                var f = new PrintStream(new FileOutputStream(file), true, UTF_8);
                var g = new InputStreamReader(open(file, 1));
                var h = DateTimeFormatter.ofPattern("uuuu", Locale.ROOT).withZone(UTC);
                var i = DateTimeFormatter.ofPattern("uuuu");
                var j = row.getDate(i + 1);
                var k = row.getTimestamp(4, calendar);
                var l = row.getObject(4, LocalDate.class);
                statement.setDate(1, Date.valueOf(day));
                """))
                .containsExactlyInAnyOrder(
                        "LocalDate.now()",
                        ".toLowerCase()",
                        "String.format(",
                        "Date.valueOf(",
                        ".getDate(i + 1)",
                        "DateTimeFormatter.ofPattern(\"\")",
                        "new InputStreamReader(open(file, 1))");
    }

    private static List<String> defaults(String source) {
        String code = Sources.withoutTexts(source);
        return DEFAULTS.stream()
                .flatMap(pattern -> pattern.matcher(code).results())
                .map(MatchResult::group)
                .toList();
    }
}
