package millrace.catalog.report;

import static org.assertj.core.api.Assertions.assertThat;

import millrace.catalog.validation.TestRequests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportLayoutTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "demographics | {'metrics':['demographics_pages_per_visit','demographics_share']}"
                        + " | domain country date age_group gender demographics_pages_per_visit demographics_share",
                "audience_interests | {} | domain country date audience_domain desktop_audience_interests_affinity",
                "keywords | {} | keyword country date all_keyword_cpc",
                "site_keywords | {} | domain country date keyword desktop_keywords_total_visits",
                "traffic_and_engagement | {} | domain country date category_sales_performance_cvr",
                "traffic_and_engagement | {'category_ids':[3]}"
                        + " | domain category_id country date category_sales_performance_cvr",
            })
    void theHeaderIsTheKeyColumnsThenTheMetricsOfTheRequest(String dataset, String change, String header) {
        assertThat(String.join(" ", layout(dataset, change).header())).isEqualTo(header);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "demographics | {} | domain, country, date, age_group, gender",
                "site_keywords | {'metrics':['desktop_keywords_paid_share']}"
                        + " | domain, country, date, desktop_keywords_total_visits desc, keyword",
                "traffic_and_engagement | {} | domain, country, date",
                "traffic_and_engagement | {'category_ids':[3]} | domain, category_id, country, date",
            })
    void theOrderIsThatOfTheKeysUnlessDeclared(String dataset, String change, String order) {
        assertThat(layout(dataset, change).order()).hasToString("[" + order + "]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "demographics | {'genders':['male']} | age_group TEXT [18-24, 25-34, 35-44, 45-54, 55-64, 65+]"
                        + " gender TEXT [Male] | 6 | false",
                "audience_interests | {} | `` | 100 | true",
                "keywords | {} | `` | 1 | false",
                "site_keywords | {} | `` | 1000 | true",
                "site_keywords | {'keywords':['B','a']} | keyword TEXT [a, b] | 2 | false",
                "traffic_and_engagement | {} | category_id INTEGER [0] | 1 | false",
                "traffic_and_engagement | {'category_ids':[12,3]} | category_id INTEGER [3, 12] | 2 | false",
            })
    void filtersHaveTheirEffectiveValues(String dataset, String change, String filters, long cap, boolean enforced) {
        ReportLayout layout = layout(dataset, change);
        assertThat(layout.filters().stream()
                        .map(f -> f.column() + " " + f.type() + " " + f.values())
                        .reduce((a, b) -> a + " " + b)
                        .orElse(""))
                .isEqualTo(filters);
        assertThat(layout.rowCap()).isEqualTo(cap);
        assertThat(layout.capEnforced()).isEqualTo(enforced);
    }

    @Test
    void theRevealedColumnIsDeclared() {
        assertThat(TestRequests.dataset("audience_interests").revealedColumn()).contains("audience_domain");
        assertThat(TestRequests.dataset("keywords").revealedColumn()).isEmpty();
    }

    private static ReportLayout layout(String dataset, String change) {
        return ReportLayout.of(TestRequests.dataset(dataset), TestRequests.query(dataset, change.replace('\'', '"')));
    }
}
