package millrace.e2e.reports;

import java.util.stream.Stream;
import millrace.e2e.data.OperatorDataFolder;
import millrace.e2e.reports.CreditsIT.Price;

/** Requests on {@link OperatorDataFolder}, each with SQL for its price. */
final class PriceCases {
    private static final String DEMOGRAPHICS = """
            {"domains":["d1.example","d2.example","d7.example"],"countries":["US","DE"],
             "metrics":["demographics_bounce_rate","demographics_share"],"start_date":"2026-01","end_date":"2026-02",
             "granularity":"monthly"%s}""";
    private static final String AUDIENCE = """
            {"domains":["a.example","b.example"],"countries":["US","DE"],"metrics":[%s],"start_date":"2026-01",
             "end_date":"2026-02","granularity":"monthly"}""";
    private static final String KEYWORDS = """
            {"keywords":[%s],"countries":["US"],"metrics":["all_keyword_volume"],"start_date":"2026-01","end_date":"%s",
             "granularity":"monthly"%s}""";
    private static final String SITE_KEYWORDS = """
            {"domains":[%s],"countries":["US"],"start_date":"2026-01-05","end_date":"2026-01-05","granularity":"weekly",
             "metrics":[%s]%s}""";

    private PriceCases() {}

    static Stream<Price> all() {
        return Stream.of(perResult(), revealed(), keywords(), siteKeywords(), nothing())
                .flatMap(s -> s);
    }

    /** SQL for the number of present cells of a numeric column. */
    static String present(String column) {
        return "count(*) FILTER (WHERE " + column + " IS NOT NULL AND isfinite(" + column + "))";
    }

    private static Stream<Price> perResult() {
        String both = "SELECT " + present("demographics_share") + " + " + present("demographics_bounce_rate");
        String rows = " FROM demographics WHERE domain IN ('d1.example', 'd2.example', 'd7.example')";
        return Stream.of(
                new Price(
                        "per result", "demographics", DEMOGRAPHICS.formatted(""), both + rows + " AND NOT subdomains"),
                new Price(
                        "with subdomains, some groups",
                        "demographics",
                        DEMOGRAPHICS.formatted(",\"subdomains\":true,\"genders\":[\"male\"],\"age_groups\":[\"65+\"]"),
                        both + rows + " AND subdomains AND gender = 'Male' AND age_group = '65+'"),
                new Price(
                        "only rows kept by limit",
                        "demographics",
                        DEMOGRAPHICS.formatted(",\"limit\":11"),
                        both + " FROM (SELECT *" + rows
                                + " AND NOT subdomains ORDER BY domain, country, date, age_group, gender LIMIT 11)"));
    }

    private static Stream<Price> revealed() {
        String affinity = "\"desktop_audience_interests_affinity\"";
        String desktop = "\"desktop_audience_interests_overlap\"";
        String mobile = "\"mobile_audience_interests_overlap\"";
        String desktopThere = present("desktop_audience_interests_overlap");
        String mobileThere = "count(mobile_audience_interests_overlap)";
        return Stream.of(
                new Price("affinity reveals nobody", "audience_interests", AUDIENCE.formatted(affinity), "SELECT 32"),
                // w and x by each of a and b
                new Price(
                        "revealed once in all countries and months",
                        "audience_interests",
                        AUDIENCE.formatted(desktop),
                        "SELECT " + desktopThere + " + 4 FROM audience_interests"),
                // w, x and z by each
                new Price(
                        "revealed once for all metrics",
                        "audience_interests",
                        AUDIENCE.formatted(desktop + "," + affinity + "," + mobile),
                        "SELECT " + desktopThere + " + " + mobileThere + " + 32 + 6 FROM audience_interests"),
                new Price(
                        "as SQL counts the revealed",
                        "audience_interests",
                        AUDIENCE.formatted(mobile),
                        "SELECT " + mobileThere + " + count(DISTINCT (domain, audience_domain)) FILTER"
                                + " (WHERE mobile_audience_interests_overlap IS NOT NULL) FROM audience_interests"));
    }

    private static Stream<Price> keywords() {
        return Stream.of(
                new Price("9 results", "keywords", KEYWORDS.formatted("\"k1\"", "2026-09", ""), "SELECT 1"),
                new Price("25 results", "keywords", fiveMonths(5), "SELECT 1"),
                new Price("30 results", "keywords", fiveMonths(6), "SELECT 2"),
                new Price(
                        "27 results of three keywords, rounded up once",
                        "keywords",
                        KEYWORDS.formatted("\"k1\",\"k2\",\"k3\"", "2026-09", ""),
                        "SELECT 2"),
                new Price(
                        "25 of 27 rows",
                        "keywords",
                        KEYWORDS.formatted("\"k1\",\"k2\",\"k3\"", "2026-09", ",\"limit\":25"),
                        "SELECT 1"));
    }

    private static String fiveMonths(int keywords) {
        String names = java.util.stream.IntStream.rangeClosed(1, keywords)
                .mapToObj(k -> "\"k" + k + "\"")
                .collect(java.util.stream.Collectors.joining(","));
        return KEYWORDS.formatted(names, "2026-05", "");
    }

    private static Stream<Price> siteKeywords() {
        String visits = "\"desktop_keywords_total_visits\"";
        String texts = "\"desktop_keywords_top_all_url\",\"desktop_keywords_top_all_url_position\"";
        return Stream.of(
                new Price(
                        "101 results",
                        "site_keywords",
                        SITE_KEYWORDS.formatted("\"s1.example\"", visits, ""),
                        "SELECT 2"),
                new Price(
                        "100 results",
                        "site_keywords",
                        SITE_KEYWORDS.formatted("\"s1.example\"", visits, ",\"limit\":100"),
                        "SELECT 1"),
                new Price(
                        "303 results of three domains, rounded up once",
                        "site_keywords",
                        SITE_KEYWORDS.formatted("\"s1.example\",\"s2.example\",\"s3.example\"", visits, ""),
                        "SELECT 4"),
                new Price(
                        "named keywords",
                        "site_keywords",
                        SITE_KEYWORDS.formatted("\"s1.example\"", visits, ",\"keywords\":[\"word 3\",\"word 4\"]"),
                        "SELECT 1"),
                new Price(
                        "texts and positions, an empty text being absent",
                        "site_keywords",
                        SITE_KEYWORDS.formatted("\"s1.example\",\"s2.example\"", texts, ""),
                        "SELECT (count(nullif(desktop_keywords_top_all_url, '')) + count(desktop_keywords_top_all_url_position)"
                                + " + 99) // 100 FROM site_keywords WHERE domain <> 's3.example'"));
    }

    private static Stream<Price> nothing() {
        return Stream.of(
                new Price(
                        "an unknown domain",
                        "demographics",
                        DEMOGRAPHICS.formatted("").replaceAll("d\\d\\.example", "nobody.example"),
                        "SELECT 0"),
                new Price(
                        "rows of absent cells alone",
                        "keywords",
                        KEYWORDS.formatted("\"empty\"", "2026-09", ""),
                        "SELECT 0"),
                new Price("a period without data", "keywords", emptyPeriod(), "SELECT 0"));
    }

    private static String emptyPeriod() {
        return KEYWORDS.formatted("\"k1\"", "2026-10", "").replace("2026-01", "2026-10");
    }
}
