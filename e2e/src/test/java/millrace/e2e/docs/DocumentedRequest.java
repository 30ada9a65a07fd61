package millrace.e2e.docs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import millrace.contracts.Json;

/**
 * A request on the demo data and its expected report.
 *
 * @param fields of the request, as JSON without braces and webhook URL
 * @param keys columns before the metrics
 * @param where condition of the rows of the dataset's table in the report
 * @param order of the rows
 * @param price SQL with the number of {@code results}, and {@code report} for the rows
 */
record DocumentedRequest(
        String dataset,
        String fields,
        List<String> keys,
        List<String> metrics,
        String where,
        String order,
        String price) {

    static Stream<DocumentedRequest> all() {
        return Stream.of(demographics(), audienceInterests(), keywords(), siteKeywords(), trafficAndEngagement());
    }

    private static DocumentedRequest demographics() {
        return new DocumentedRequest(
                "demographics",
                """
                "domains":["amber-news.example","badger-shop.example","nobody.example"],"countries":["US","DE"],
                "age_group":["25-34","18-24"],"genders":["male"],"start_date":"2026-08","end_date":"2026-10",
                "granularity":"monthly","subdomains":true,"delivery_method":"download_link","response_format":"csv\"""",
                List.of("domain", "country", "date", "age_group", "gender"),
                List.of(
                        "demographics_share",
                        "demographics_avg_visit_duration",
                        "demographics_bounce_rate",
                        "demographics_pages_per_visit"),
                """
                domain IN ('amber-news.example', 'badger-shop.example') AND country IN ('US', 'DE') AND subdomains
                AND age_group IN ('18-24', '25-34') AND gender = 'Male' AND granularity = 'monthly'
                AND date BETWEEN DATE '2026-08-01' AND DATE '2026-10-01'""",
                "domain, country, date, age_group, gender",
                "results");
    }

    private static DocumentedRequest audienceInterests() {
        return new DocumentedRequest(
                "audience_interests",
                """
                "domains":["bridge-bank.example","amber-books.example"],"countries":["WW","US"],"start_date":"2026-09",
                "end_date":"2026-10","granularity":"monthly","subdomains":false,"delivery_method":"download_link",
                "response_format":"csv\"""",
                List.of("domain", "country", "date", "audience_domain"),
                List.of("desktop_audience_interests_overlap", "mobile_audience_interests_affinity"),
                """
                domain IN ('bridge-bank.example', 'amber-books.example') AND country IN ('WW', 'US') AND NOT subdomains
                AND granularity = 'monthly' AND date BETWEEN DATE '2026-09-01' AND DATE '2026-10-01'""",
                "domain, country, date, audience_domain",
                """
                results + (SELECT count(DISTINCT (domain, audience_domain)) FROM report
                           WHERE desktop_audience_interests_overlap IS NOT NULL)""");
    }

    private static DocumentedRequest keywords() {
        return new DocumentedRequest(
                "keywords",
                """
                "keywords":["Best Yoga Mat","café crème","\\"quoted\\" shoes","=sum(a1:a9)","nobody asks"],"countries":["US","WW"],
                "start_date":"2026-05-01","end_date":"2026-10-31","limit":30,"granularity":"monthly",
                "delivery_method":"download_link","response_format":"csv\"""",
                List.of("keyword", "country", "date"),
                List.of(
                        "zero_clicks_share",
                        "all_keyword_monthly_search_volume",
                        "all_keyword_volume",
                        "all_keyword_cpc",
                        "desktop_keyword_difficulty"),
                """
                keyword IN ('best yoga mat', 'café crème', '"quoted" shoes', '=sum(a1:a9)') AND country IN ('US', 'WW')
                AND granularity = 'monthly' AND date BETWEEN DATE '2026-05-01' AND DATE '2026-10-01'""",
                "keyword, country, date LIMIT 30",
                "(results + 24) // 25");
    }

    private static DocumentedRequest siteKeywords() {
        return new DocumentedRequest(
                "site_keywords",
                """
                "domains":["aurora-travel.example","badger-news.example"],"countries":["US","WW"],"start_date":"2026-10-01",
                "end_date":"2026-10-31","granularity":"7days","delivery_method":"download_link","response_format":"csv\"""",
                List.of("domain", "country", "date", "keyword"),
                List.of(
                        "desktop_keywords_organic_visits",
                        "desktop_keywords_paid_share",
                        "desktop_keywords_top_all_url",
                        "desktop_keywords_top_paid_url_position"),
                """
                domain IN ('aurora-travel.example', 'badger-news.example') AND country IN ('US', 'WW') AND NOT subdomains
                AND granularity = '7days' AND date BETWEEN DATE '2026-10-01' AND DATE '2026-10-31'""",
                "domain, country, date, desktop_keywords_total_visits DESC NULLS LAST, keyword",
                "(results + 99) // 100");
    }

    /** Without countries and delivery method, as in the service description. */
    private static DocumentedRequest trafficAndEngagement() {
        return new DocumentedRequest(
                "traffic_and_engagement",
                """
                "domains":["bridge-shop.example","aurora-fashion.example"],"start_date":"2026-09-21","end_date":"2026-11-01",
                "category_ids":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24],
                "granularity":"weekly","response_format":"csv\"""",
                List.of("domain", "category_id", "country", "date"),
                List.of(
                        "category_sales_performance_product_views",
                        "category_sales_performance_units_sold",
                        "category_sales_performance_revenue",
                        "category_sales_performance_cvr"),
                """
                domain IN ('bridge-shop.example', 'aurora-fashion.example') AND country = 'WW' AND NOT subdomains
                AND granularity = 'weekly' AND date BETWEEN DATE '2026-09-21' AND DATE '2026-11-01' AND category_id > 0""",
                "domain, category_id, country, date",
                "results");
    }

    String path(String operation) {
        return "/v3/batch/" + dataset + "/" + operation;
    }

    String body(String webhookUrl) {
        return request(webhookUrl).toString();
    }

    JsonNode request(String webhookUrl) {
        try {
            return Json.MAPPER.readTree("{%s,\"metrics\":%s,\"webhook_url\":%s}"
                    .formatted(fields, Json.text(metrics), Json.text(webhookUrl)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    List<String> header() {
        return Stream.concat(keys.stream(), metrics.stream()).toList();
    }

    /** SQL for the rows of the file. */
    String rows() {
        return "SELECT " + String.join(", ", header()) + " FROM " + dataset + " WHERE " + where + " ORDER BY " + order;
    }

    /** SQL for the number of charged cells. */
    String results() {
        return "WITH report AS (" + rows() + ") SELECT count(" + String.join(") + count(", metrics) + ") FROM report";
    }

    /** SQL for the charge. */
    String credits() {
        return "WITH report AS (" + rows() + "), counted AS (SELECT count(" + String.join(") + count(", metrics)
                + ") AS results FROM report) SELECT " + price + " FROM counted";
    }

    @Override
    public String toString() {
        return dataset;
    }
}
