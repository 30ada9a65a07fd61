package millrace.catalog.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.catalog.validation.CheckedRequest;
import millrace.catalog.validation.TestRequests;
import millrace.contracts.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntitlementsTest {
    private static final Entitlements.Access SHORT =
            new Entitlements.Access(Set.of("GB"), LocalDate.parse("2025-02-01"), LocalDate.parse("2025-02-28"));

    /** What an account without the category is told; the other one is granted. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "demographics | WEB_DESKTOP | {} | metrics: demographics_share needs web_mobile_data, which this account"
                        + " does not have; accepted: metrics of web_desktop_data",
                "demographics | WEB_MOBILE | {} | metrics: demographics_share needs web_desktop_data, which this account"
                        + " does not have; accepted: metrics of web_mobile_data",
                "audience_interests | WEB_DESKTOP | {} | ``",
                "audience_interests | WEB_MOBILE | {} | metrics: desktop_audience_interests_affinity needs"
                        + " web_desktop_data, which this account does not have; accepted: metrics of web_mobile_data",
                "audience_interests | WEB_MOBILE | {'metrics':['mobile_audience_interests_overlap']} | ``",
                "keywords | WEB_DESKTOP | {'metrics':['desktop_keyword_difficulty']} | ``",
                "keywords | WEB_DESKTOP | {'metrics':['zero_clicks_share']} | metrics: zero_clicks_share needs"
                        + " web_mobile_data, which this account does not have; accepted: metrics of web_desktop_data",
                "site_keywords | WEB_DESKTOP | {} | ``",
                "traffic_and_engagement | APP | {} | metrics: category_sales_performance_cvr needs web_desktop_data,"
                        + " which this account does not have; accepted: metrics of app_data;metrics:"
                        + " category_sales_performance_cvr needs web_mobile_data, which this account does not have;"
                        + " accepted: metrics of app_data",
            })
    void aMetricNeedsItsCategories(String dataset, CapabilityCategory granted, String change, String expected) {
        assertThat(String.join(";", errors(dataset, change.replace('\'', '"'), TestRequests.only(granted))))
                .isEqualTo(expected);
    }

    @Test
    void noCategoryGrantsNothing() {
        assertThat(errors("site_keywords", "{}", new Entitlements(Map.of())))
                .containsExactly(
                        "metrics: desktop_keywords_total_visits needs web_desktop_data, which this account does not"
                                + " have; accepted: metrics of no category");
    }

    @Test
    void categoriesThatDifferAreToldApart() {
        var entitlements = new Entitlements(
                Map.of(CapabilityCategory.WEB_DESKTOP, TestRequests.ACCESS, CapabilityCategory.WEB_MOBILE, SHORT));
        assertThat(errors("demographics", "{}", entitlements))
                .containsExactly(
                        "countries: \"US\" is not available to this account in web_mobile_data; accepted: GB",
                        "start_date: the first monthly period, 2025-01, is before the history of this account in"
                                + " web_mobile_data; accepted: 2025-02 to 2025-02",
                        "end_date: the last monthly period, 2025-03, is after the history of this account in"
                                + " web_mobile_data; accepted: 2025-02 to 2025-02");
    }

    @Test
    void theDefaultCountryMustBeGrantedToo() {
        var entitlements = new Entitlements(Map.of(
                CapabilityCategory.WEB_DESKTOP,
                new Entitlements.Access(Set.of("US"), TestRequests.ACCESS.first(), TestRequests.ACCESS.last()),
                CapabilityCategory.WEB_MOBILE,
                TestRequests.ACCESS));
        assertThat(errors("traffic_and_engagement", "{}", entitlements))
                .containsExactly(
                        "countries: \"WW\" (what leaving the field out means) is not available to this account in"
                                + " web_desktop_data; accepted: US");
    }

    @Test
    void aHistoryWithoutAWholePeriodIsSaid() {
        var access =
                new Entitlements.Access(Set.of("US"), LocalDate.parse("2025-02-02"), LocalDate.parse("2025-03-30"));
        assertThat(errors(
                        "keywords",
                        "{\"metrics\":[\"desktop_keyword_difficulty\"]}",
                        new Entitlements(Map.of(CapabilityCategory.WEB_DESKTOP, access))))
                .containsExactly(
                        "start_date: the history of this account in web_desktop_data, 2025-02-02 to 2025-03-30,"
                                + " holds no whole monthly period; accepted: another granularity");
    }

    @Test
    void describeShowsTheAccountsHistoryPerGranularity() {
        var description = DatasetDescription.of(TestRequests.dataset("traffic_and_engagement"), TestRequests.ALL);
        assertThat(description.table()).isEqualTo("traffic_and_engagement");
        assertThat(description.tableGranularity().keySet()).containsExactly("daily", "weekly", "monthly");
        assertThat(description.tableGranularity().get("weekly"))
                .isEqualTo(
                        new DatasetDescription.History(LocalDate.parse("2023-01-02"), LocalDate.parse("2025-10-20")));
        assertThat(description.tableMetrics()).hasSize(21);
        assertThat(description.tableFilters().stream().map(DatasetDescription.Field::name))
                .containsExactly("domains", "countries", "subdomains", "category_ids");
        assertThat(DatasetDescription.of(
                                TestRequests.dataset("demographics"), TestRequests.only(CapabilityCategory.WEB_DESKTOP))
                        .tableGranularity()
                        .get("monthly"))
                .isEqualTo(new DatasetDescription.History(null, null));
    }

    @Test
    void describeIsWrittenWithTheNamesOfTheContract() {
        assertThat(Json.text(DatasetDescription.of(TestRequests.dataset("audience_interests"), TestRequests.ALL)))
                .startsWith("{\"table\":\"audience_interests\",")
                .contains(
                        "\"table_granularity\":{\"monthly\":{\"start_date\":\"2023-01-01\",\"end_date\":\"2025-10-01\"}}",
                        "\"table_metrics\":[{\"name\":\"desktop_audience_interests_affinity\",\"type\":\"double\","
                                + "\"unit\":\"score\",",
                        "\"granularities\":[\"monthly\"],\"categories\":[\"web_desktop_data\"]",
                        "\"table_filters\":[{\"name\":\"domains\",\"spellings\":[\"domains\"],\"type\":\"string\","
                                + "\"required\":true}");
    }

    private static List<String> errors(String dataset, String change, Entitlements entitlements) {
        return switch (TestRequests.check(dataset, TestRequests.body(dataset, change), entitlements)) {
            case CheckedRequest.Valid valid -> List.of();
            case CheckedRequest.Invalid invalid -> invalid.errors();
        };
    }
}
