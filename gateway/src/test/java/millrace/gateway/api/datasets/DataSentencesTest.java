package millrace.gateway.api.datasets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import millrace.catalog.dataset.EntityField;
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.files.entities.MissingNames;
import millrace.gateway.api.datasets.DataSentences.Names;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataSentencesTest {
    private static final EntityField DOMAINS = new EntityField("domains", "domain", EntityField.Kind.DOMAIN);
    private static final EntityField KEYWORDS = new EntityField("keywords", "keyword", EntityField.Kind.KEYWORD);
    private static final DatasetFacts FACTS = new DatasetFacts(
            null,
            1,
            1,
            Map.of(
                    "monthly", span("2025-01-01", "2026-06-01"),
                    "7days", span("2026-06-01", "2026-06-22")),
            List.of());

    @Test
    void namesWhatIsMissing() {
        assertThat(entities(DOMAINS, missing(5, 0), 5)).isEmpty();
        assertThat(entities(DOMAINS, missing(1, 1, "a.example"), 1))
                .contains("1 of 1 domains is not in the data: a.example.");
        assertThat(entities(DOMAINS, missing(5, 2, "a.example", "b.example"), 5))
                .contains("2 of 5 domains are not in the data: a.example, b.example.");
        // A keyword may hold commas, and letters that turn a line round.
        assertThat(entities(KEYWORDS, missing(2, 2, "a, b", "c\u202e"), 2))
                .contains("2 of 2 keywords are not in the data: \"a, b\", \"c\\u202e\".");
    }

    @Test
    void namesTheFirstTen() {
        String[] ten = IntStream.range(0, 10).mapToObj(i -> "d" + i).toArray(String[]::new);
        assertThat(entities(DOMAINS, missing(20, 10, ten), 20).orElseThrow()).endsWith("d8, d9.");
        assertThat(entities(DOMAINS, missing(10_000, 2_311, ten), 1_000_000))
                .contains("2,311 of the first 10,000 domains are not in the data:"
                        + " d0, d1, d2, d3, d4, d5, d6, d7, d8, d9 and 2,301 more.");
    }

    @Test
    void namesInAStatusAreShort() {
        var status = Names.OF_STATUS;
        String forty = "x".repeat(32) + ".example";
        assertThat(DataSentences.entities(DOMAINS, missing(9, 9, "a.example", forty, "x" + forty), 9, status))
                .contains("9 of 9 domains are not in the data: a.example, " + forty + ", " + "x".repeat(33)
                        + ".exampl… and 6 more.");
        assertThat(DataSentences.entities(KEYWORDS, missing(1, 1, "é".repeat(41)), 1, status))
                .contains("1 of 1 keywords is not in the data: \"" + "é".repeat(40) + "…\".");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a b   | -       | -
            a b   | c       | -
            a b   | b c     | The data have no figures of b; its cells are empty.
            a b c | c b     | The data have no figures of b, c; their cells are empty.
            a b c d e | a b c d e | The data have no figures of a, b, c and 2 more; their cells are empty.
            """)
    void namesMetricsThatTheDataAreOlderThan(String requested, String absent, String sentence) {
        assertThat(DataSentences.metrics(List.of(requested.split(" ")), List.of(absent.split(" ")), Names.OF_STATUS)
                        .orElse("-"))
                .isEqualTo(sentence);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            MONTHLY | 2025-01-01 | 2026-06-01 | -
            MONTHLY | 2025-03-01 | 2025-03-01 | -
            MONTHLY | 2025-03-01 | 2026-07-01 | The data end with 2026-06; later periods have no rows.
            MONTHLY | 2026-07-01 | 2026-07-01 | The data end with 2026-06; no period of the request is in the data.
            MONTHLY | 2024-12-01 | 2025-01-01 | The data begin with 2025-01; earlier periods have no rows.
            MONTHLY | 2024-01-01 | 2024-12-01 | The data begin with 2025-01; no period of the request is in the data.
            MONTHLY | 2024-12-01 | 2026-07-01 | The data begin with 2025-01; earlier periods have no rows. The data end with 2026-06; later periods have no rows.
            WEEKLY  | 2026-06-01 | 2026-06-08 | The data have no weekly periods.
            # the last window is the seven days that end with the last day of data, 2026-06-28
            7DAYS   | 2026-06-01 | 2026-06-28 | -
            7DAYS   | 2026-06-01 | 2026-06-29 | The data end with 2026-06-22; later periods have no rows.
            # no window begins on the days between two
            7DAYS   | 2026-05-26 | 2026-06-22 | -
            7DAYS   | 2026-05-25 | 2026-06-22 | The data begin with 2026-06-01; earlier periods have no rows.
            """)
    void saysWhichPeriodsAreMissing(String granularity, LocalDate first, LocalDate last, String expected) {
        var dates = new ReportQuery.Dates(
                granularity.equals("7DAYS") ? Granularity.SEVEN_DAYS : Granularity.valueOf(granularity), first, last);
        List<String> sentences = DataSentences.dates(dates, FACTS);
        assertThat(sentences.isEmpty() ? "-" : String.join(" ", sentences)).isEqualTo(expected);
    }

    @Test
    void saysWhatTheEstimateCountsUnseen() {
        assertThat(DataSentences.unchecked(DOMAINS, 5, 5)).isEmpty();
        assertThat(DataSentences.unchecked(DOMAINS, 0, 5))
                .contains("Which domains are in the data is not known at the moment; the estimate counts all of them.");
        assertThat(DataSentences.unchecked(KEYWORDS, 30_000, 1_000_000))
                .contains("Only the first 30,000 of 1,000,000 keywords could be looked up in time; the estimate counts"
                        + " all others.");
    }

    private static Optional<String> entities(EntityField field, MissingNames missing, int all) {
        return DataSentences.entities(field, missing, all, Names.OF_ANSWER);
    }

    private static MissingNames missing(int checked, int count, String... first) {
        var missing = new MissingNames(first.length);
        for (int i = 0; i < checked; i++) {
            missing.looked(i < first.length ? first[i] : "another", i >= count);
        }
        return missing;
    }

    private static DatasetFacts.Span span(String first, String last) {
        return new DatasetFacts.Span(LocalDate.parse(first), LocalDate.parse(last));
    }
}
