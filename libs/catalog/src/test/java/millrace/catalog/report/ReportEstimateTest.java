package millrace.catalog.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.validation.CheckedRequest;
import millrace.catalog.validation.RequestLimits;
import millrace.catalog.validation.RequestValidator;
import millrace.catalog.validation.TestRequests;
import millrace.contracts.accounts.Quote;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.requests.ApiDialect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportEstimateTest {

    @Test
    void twoDomainsTwoCountriesFourMetricsThirteenMonthsAre208() {
        Quote quote = quote("traffic_and_engagement", """
                {"domains":["a.com","b.com"],"countries":["US","GB"],"start_date":"2024-01","end_date":"2025-01",
                 "granularity":"monthly","metrics":["category_sales_performance_product_views",
                 "category_sales_performance_units_sold","category_sales_performance_revenue",
                 "category_sales_performance_cvr"]}""");
        assertThat(quote.credits()).isEqualTo(208);
        assertThat(quote.rows()).isEqualTo(52);
    }

    @ParameterizedTest(name = "{0} {1}: {2} rows, {3} credits")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // Three months: every age group and gender where none is named.
                "demographics | {} | 36 | 36",
                "demographics | {'metrics':['demographics_share','demographics_bounce_rate']} | 36 | 72",
                "demographics | {'genders':['male']} | 18 | 18",
                "demographics | {'age_group':['18-24','65+']} | 12 | 12",
                "demographics | {'age_group':['18-24','65+'],'genders':['Female']} | 6 | 6",
                "demographics | {'domains':['a.com','b.com'],'countries':['US','GB','WW']} | 216 | 216",
                "demographics | {'subdomains':true} | 36 | 36",
                "demographics | {'limit':10} | 10 | 10",
                "demographics | {'limit':10,'metrics':['demographics_share','demographics_bounce_rate']} | 10 | 20",
                "demographics | {'limit':1000000} | 36 | 36",
                // 100 audience domains per domain, country and month; an overlap metric reveals each.
                "audience_interests | {} | 300 | 300",
                "audience_interests | {'metrics':['desktop_audience_interests_overlap']} | 300 | 600",
                "audience_interests | {'metrics':['desktop_audience_interests_overlap',"
                        + "'desktop_audience_interests_affinity']} | 300 | 900",
                "audience_interests | {'metrics':['desktop_audience_interests_overlap',"
                        + "'mobile_audience_interests_overlap']} | 300 | 900",
                "audience_interests | {'metrics':['desktop_audience_interests_overlap'],'limit':10} | 10 | 20",
                "audience_interests | {'metrics':['desktop_audience_interests_affinity'],'limit':10} | 10 | 10",
                // 25 results are one credit, rounded up once.
                "keywords | {} | 3 | 1",
                "keywords | {'start_date':'2023-10-01','end_date':'2025-10-01'} | 25 | 1",
                "keywords | {'start_date':'2023-09-01','end_date':'2025-10-01'} | 26 | 2",
                "keywords | {'keywords':['a','b'],'start_date':'2023-10-01','end_date':'2025-10-01'} | 50 | 2",
                "keywords | {'limit':1} | 1 | 1",
                // Five Mondays; 1,000 keywords per domain, country and week where none is named; 100 results are one
                // credit.
                "site_keywords | {} | 5000 | 50",
                "site_keywords | {'keywords':['a','b']} | 10 | 1",
                "site_keywords | {'limit':101} | 101 | 2",
                "site_keywords | {'limit':100} | 100 | 1",
                // 30 days are at most five windows of seven days.
                "site_keywords | {'granularity':'7days'} | 5000 | 50",
                "site_keywords | {'granularity':'7days','end_date':'2025-09-07'} | 1000 | 10",
                "site_keywords | {'granularity':'7days','end_date':'2025-09-08'} | 2000 | 20",
                "traffic_and_engagement | {} | 30 | 30",
                "traffic_and_engagement | {'category_ids':[1,2,3]} | 90 | 90",
                "traffic_and_engagement | {'granularity':'weekly'} | 5 | 5",
                "traffic_and_engagement | {'granularity':'monthly'} | 1 | 1",
            })
    void countsWhatThereCanBe(String dataset, String change, long rows, long credits) {
        Quote quote = quote(dataset, change.replace('\'', '"'));
        assertThat(List.of(quote.rows(), quote.credits())).containsExactly(rows, credits);
    }

    @Test
    void aReportWithoutResultsIsFreeEverywhere() {
        for (Dataset dataset : TestRequests.CATALOG.datasets()) {
            assertThat(dataset.priceRule().price(ResultCounts.NONE)).isZero();
        }
    }

    @Test
    void theQuotedRuleCountsRevealedDomainsOnlyWhereAnOverlapMetricIsNamed() {
        assertThat(quote("audience_interests", "{}").rule().countsRevealed()).isFalse();
        assertThat(quote("audience_interests", "{\"metrics\":[\"mobile_audience_interests_overlap\"]}")
                        .rule()
                        .countsRevealed())
                .isTrue();
    }

    @Test
    void anAbsurdSizeIsRefusedAndNeverOverflows() {
        Dataset audience = TestRequests.dataset("audience_interests");
        String domains =
                IntStream.range(0, 200_000).mapToObj(i -> "\"d" + i + "\"").collect(Collectors.joining(","));
        var wide = new Dataset(
                audience.name(),
                audience.description(),
                audience.entity(),
                audience.keyColumns(),
                audience.filters(),
                audience.metrics(),
                audience.priceRule(),
                Integer.MAX_VALUE,
                null,
                null);
        byte[] body = TestRequests.body("audience_interests", "{\"domains\":[" + domains + "]}")
                .getBytes(StandardCharsets.UTF_8);
        var checked = new RequestValidator(RequestLimits.DEFAULT).validate(wide, body, TestRequests.ALL, ApiDialect.V3);
        assertThat(((CheckedRequest.Invalid) checked).errors())
                .containsExactly("domains: with these countries, dates and metrics the report could have"
                        + " 1,000,000,000,000,000 results or more; accepted: fewer of them, or a limit");
    }

    private static Quote quote(String dataset, String change) {
        return TestRequests.valid(dataset, TestRequests.body(dataset, change)).quote();
    }
}
