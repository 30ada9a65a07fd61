package millrace.processor.data.importing;

import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.processor.data.importing.CellCheck.ParsedCell;
import millrace.processor.warehouse.TestWarehouse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cells of each column with the value that is read, or {@code !} and the problem. */
class CellCheckTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            demographics           | domain                               | shop.example | shop.example
            demographics           | domain                               | ``           | !is empty
            demographics           | domain                               | Shop.Example | !"Shop.Example" would never be found, since requests are compared in lower case without blanks around; write "shop.example"
            demographics           | domain                               | https://a.b/ | !"https://a.b/" has a scheme; accepted: a bare host name of letters, digits, -, _ and ., for example example.com
            demographics           | country                              | US           | US
            demographics           | country                              | us           | !"us" is not a country code of two upper-case letters; write US
            demographics           | country                              | USA          | !"USA" is not a country code of two upper-case letters, for example US
            demographics           | date                                 | 2026-10-01   | 2026-10-01
            demographics           | date                                 | 2026-10      | 2026-10-01
            demographics           | date                                 | 2026-13-01   | !"2026-13-01" is not in the calendar
            demographics           | date                                 | 2026-02-29   | !"2026-02-29" is not in the calendar
            demographics           | date                                 | 1.10.2026    | !"1.10.2026" is not a date; accepted: YYYY-MM-DD, for monthly also YYYY-MM
            demographics           | date                                 | 0026-10-01   | !"0026-10-01" is out of range; accepted: 1970 to 2199
            demographics           | age_group                            | 65+          | 65+
            demographics           | age_group                            | 65           | !"65" is not known; did you mean 65+?; accepted: 18-24, 25-34, 35-44, 45-54, 55-64, 65+
            demographics           | gender                               | male         | !"male" is not known; did you mean Male?; accepted: Male, Female
            demographics           | granularity                          | monthly      | monthly
            demographics           | granularity                          | ``           | monthly
            demographics           | granularity                          | weekly       | !"weekly" is not known; accepted: monthly
            demographics           | subdomains                           | ``           | false
            demographics           | subdomains                           | True         | true
            demographics           | subdomains                           | 0            | false
            demographics           | subdomains                           | yes          | !"yes" is neither true nor false
            demographics           | demographics_share                   | 0.25         | 0.25
            demographics           | demographics_share                   | 1            | 1.0
            demographics           | demographics_share                   | 2.5e-3       | 0.0025
            demographics           | demographics_share                   | ``           | null
            demographics           | demographics_share                   | NaN          | !"NaN" is not finite; leave the cell empty where there is no figure
            demographics           | demographics_share                   | 25           | !"25" is out of range; accepted: a fraction from 0 to 1, so 0.25 for 25 %
            demographics           | demographics_avg_visit_duration      | 25           | 25.0
            demographics           | demographics_avg_visit_duration      | -Infinity    | !"-Infinity" is not finite; leave the cell empty where there is no figure
            demographics           | demographics_avg_visit_duration      | 1e309        | !"1e309" is out of range; accepted: up to 1.7976931348623157E308
            demographics           | demographics_avg_visit_duration      | 12,5         | !"12,5" is not a number; write 12.5
            demographics           | demographics_avg_visit_duration      | 12d          | !"12d" is not a number, for example 1234.5
            demographics           | demographics_avg_visit_duration      | .            | !"." is not a number, for example 1234.5
            demographics           | demographics_avg_visit_duration      | ` 12`        | !" 12" is not a number, for example 1234.5
            keywords               | keyword                              | red shoes    | red shoes
            keywords               | keyword                              | ` red`       | !" red" would never be found, since requests are compared in lower case without blanks around; write "red"
            keywords               | keyword                              | caf\uFFFD    | !"caf\uFFFD" has U+FFFD (REPLACEMENT CHARACTER), which stands where bytes were not UTF-8; accepted: 1 to 500 characters without control characters
            keywords               | keyword                              | cafe\u0301   | !"cafe\u0301" would never be found, since requests are compared in lower case, in Unicode's normal form C, without blanks around and with spaces for the blanks inside; write "caf\u00e9"
            keywords               | keyword                              | \u00a0red    | !"\u00a0red" would never be found, since requests are compared in lower case, in Unicode's normal form C, without blanks around and with spaces for the blanks inside; write "red"
            keywords               | keyword                              | red\u3000    | !"red\u3000" would never be found, since requests are compared in lower case, in Unicode's normal form C, without blanks around and with spaces for the blanks inside; write "red"
            keywords               | keyword                              | a\u200bb     | !"a\\u200bb" has the invisible character U+200B (ZERO WIDTH SPACE); accepted: 1 to 500 characters without control characters
            keywords               | desktop_keyword_difficulty           | 1            | 1.0
            keywords               | desktop_keyword_difficulty           | 100          | 100.0
            keywords               | desktop_keyword_difficulty           | 100.5        | !"100.5" is out of range; accepted: from 1 to 100
            keywords               | desktop_keyword_difficulty           | 0            | !"0" is out of range; accepted: from 1 to 100
            keywords               | desktop_keyword_difficulty           | x            | !"x" is not a number, for example 1234.5
            keywords               | desktop_keyword_difficulty           | ``           | null
            traffic_and_engagement | global_rank                          | 1            | 1
            traffic_and_engagement | global_rank                          | 0            | !"0" is out of range; accepted: from 1
            site_keywords          | granularity                          | ``           | !is empty
            site_keywords          | granularity                          | week         | !"week" is not known; did you mean weekly?; accepted: weekly, 7days
            site_keywords          | keyword                              | Red          | !"Red" would never be found, since requests are compared in lower case without blanks around; write "red"
            site_keywords          | desktop_keywords_top_all_url_position | 3           | 3
            site_keywords          | desktop_keywords_top_all_url_position | 3.0         | 3
            site_keywords          | desktop_keywords_top_all_url_position | 3.5         | !"3.5" is not an integer
            site_keywords          | desktop_keywords_top_all_url_position | 9223372036854775808 | !"9223372036854775808" is out of range; accepted: -9,223,372,036,854,775,808 to 9,223,372,036,854,775,807
            site_keywords          | desktop_keywords_top_all_url         | =x           | =x
            audience_interests     | audience_domain                      | ``           | !is empty
            traffic_and_engagement | category_id                          | 7            | 7
            traffic_and_engagement | category_id                          | ``           | 0
            traffic_and_engagement | category_id                          | -1           | !"-1" is out of range; accepted: 0 to 2,147,483,647
            """)
    void reads(String dataset, String column, String text, String expected) {
        assertThat(read(column(TestWarehouse.dataset(dataset), column), text)).isEqualTo(expected);
    }

    /** An operator's percentages, beside fractions. */
    @Test
    void aPercentageIsFrom0To100(@TempDir Path catalog) throws IOException {
        Files.writeString(catalog.resolve("keywords.yaml"), """
                extends: keywords
                metrics:
                  - {name: zero_clicks_share, unit: percent}
                  - {name: growth, type: double, unit: percent, range: {from: -100}, meaning: Growth,
                     granularities: [monthly], categories: [web_desktop_data]}
                """);
        Dataset keywords = Catalog.load(catalog).dataset("keywords").orElseThrow();
        TableColumn share = column(keywords, "zero_clicks_share");
        assertThat(share.accepted()).isEqualTo("double from 0 to 100 (percent)");
        assertThat(read(share, "62.5")).isEqualTo("62.5");
        assertThat(read(share, "100.1"))
                .isEqualTo("!\"100.1\" is out of range; accepted: a percentage from 0 to 100, so 25 for 25 %");
        TableColumn growth = column(keywords, "growth");
        assertThat(read(growth, "250")).isEqualTo("250.0");
        assertThat(read(growth, "-101"))
                .isEqualTo("!\"-101\" is out of range; accepted: a percentage from -100, so 25 for 25 %");
    }

    private static TableColumn column(Dataset dataset, String name) {
        return TableColumn.of(dataset).stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String read(TableColumn column, String text) {
        return switch (column.check().read(text)) {
            case ParsedCell.Value v -> String.valueOf(v.value());
            case ParsedCell.Wrong w -> "!" + w.problem();
        };
    }
}
