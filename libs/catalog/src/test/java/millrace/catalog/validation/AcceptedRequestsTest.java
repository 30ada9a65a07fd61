package millrace.catalog.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.text.SortedTextSet;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportQuery.Dates;
import millrace.contracts.requests.ReportQuery.Output;
import millrace.contracts.requests.ReportRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptedRequestsTest {

    /** The field lists of the public description, each with every field it names. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "demographics | {'domains':['cnn.com','bbc.com'],'countries':['US'],'age_group':['18-24','65+'],"
                        + "'genders':['male'],'metrics':['demographics_share'],'start_date':'2025-01','end_date':'2025-02',"
                        + "'granularity':'monthly','subdomains':true,'delivery_method':'download_link',"
                        + "'response_format':'csv','webhook_url':'https://example.com/hook'}",
                "audience_interests | {'domains':['cnn.com'],'countries':['US'],"
                        + "'metrics':['desktop_audience_interests_overlap'],'start_date':'2025-01','end_date':'2025-02',"
                        + "'granularity':'monthly','subdomains':false,'delivery_method':'download_link',"
                        + "'response_format':'csv','webhook_url':'https://example.com/hook'}",
                "keywords | {'keywords':['shoes'],'countries':['US'],'metrics':['all_keyword_volume'],"
                        + "'start_date':'2025-01-01','end_date':'2025-02-01','limit':100,'granularity':'monthly',"
                        + "'delivery_method':'download_link','response_format':'csv','webhook_url':'https://example.com/h'}",
                "site_keywords | {'domains':['cnn.com'],'countries':['US'],'metrics':['desktop_keywords_top_all_url'],"
                        + "'start_date':'2025-09-01','end_date':'2025-09-28','granularity':'7days',"
                        + "'delivery_method':'download_link','response_format':'csv','webhook_url':'https://example.com/h'}",
                "traffic_and_engagement | {'webhook_url':'https://example.com/h','domains':['cnn.com'],"
                        + "'category_ids':[12,7],'metrics':['category_sales_performance_product_views',"
                        + "'category_sales_performance_units_sold','category_sales_performance_revenue',"
                        + "'category_sales_performance_cvr'],'start_date':'2025-09-01','end_date':'2025-09-28',"
                        + "'granularity':'weekly','response_format':'csv'}",
            })
    void theFieldListsOfTheDescription(String dataset, String body) {
        assertThat(TestRequests.valid(dataset, body.replace('\'', '"')).warnings())
                .filteredOn(w -> !w.startsWith("estimate"))
                .isEmpty();
    }

    @Test
    void aQueryIsNormal() {
        ReportQuery query = TestRequests.query("demographics", """
                {"domains":["b.com","A.com","a.com"],"countries":["US","GB","US"],"age_groups":["65+","18-24"],
                 "metrics":["demographics_share","demographics_bounce_rate"],"genders":["fEMALE","male"],
                 "include_subdomains":true,"limit":7,"csv_safety":"spreadsheet"}""");
        assertThat(query)
                .isEqualTo(new ReportQuery(
                        "demographics",
                        List.of("a.com", "b.com"),
                        List.of("GB", "US"),
                        List.of("demographics_share", "demographics_bounce_rate"),
                        new Dates(Granularity.MONTHLY, LocalDate.parse("2025-01-01"), LocalDate.parse("2025-03-01")),
                        Map.of("age_group", List.of("18-24", "65+"), "gender", List.of("Female", "Male")),
                        true,
                        7,
                        new Output("download_link", "csv", "spreadsheet")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'domains':null,'countries':null,'filters':{'domains':['a.com'],'countries':['US']}}",
                "{'domains':null,'filters':{'domains':['A.COM']}}",
                "{'filters':{'domains':['a.com'],'countries':['US'],'include_subdomains':false}}",
                "{'subdomains':false,'include_subdomains':false}",
                "{'filters':{}}",
                "{'delivery_method':'download_link','response_format':'csv','csv_safety':'none','compression':'none'}",
                "{'start_date':'2025-01-31','end_date':'2025-03-01'}",
                "{'domains':['a.com','A.com'],'countries':['US','US']}",
                "{'countries':['us']}",
                "{'countries':['Us','US']}",
                "{'sort':'domain','sort_asc':true}",
                "{'latest':false}",
            })
    void spellingsOfOneRequestAreEqual(String change) {
        assertThat(TestRequests.query("demographics", change.replace('\'', '"')))
                .isEqualTo(TestRequests.query("demographics", "{}"));
    }

    @ParameterizedTest
    @CsvSource({
        "2025-09-01, 2025-09-30, weekly, 2025-09-01, 2025-09-29",
        "2025-09-02, 2025-09-28, weekly, 2025-09-08, 2025-09-22",
        "2025-09-02, 2025-09-28, daily, 2025-09-02, 2025-09-28",
        "2025-09-02, 2025-10-28, monthly, 2025-09-01, 2025-10-01",
        "2025-09-02, 2025-09-02, daily, 2025-09-02, 2025-09-02",
    })
    void datesAreTheFirstDaysOfTheFirstAndLastPeriod(
            String start, String end, String granularity, LocalDate first, LocalDate last) {
        Dates dates = TestRequests.query(
                        "traffic_and_engagement",
                        "{\"start_date\":\"%s\",\"end_date\":\"%s\",\"granularity\":\"%s\"}"
                                .formatted(start, end, granularity))
                .dates();
        assertThat(dates).isEqualTo(new Dates(Granularity.of(granularity).orElseThrow(), first, last));
    }

    /** Days that make no whole periods are not an error, but what is meant by them is said. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "2025-09-01, 2025-09-28, weekly, -",
                "2025-09-01, 2025-09-29, weekly, -",
                "2025-09-01, 2025-09-30, weekly, end_date: the weeks that begin on 2025-09-01 to 2025-09-29",
                "2025-09-02, 2025-09-28, weekly, start_date: the weeks that begin on 2025-09-08 to 2025-09-22",
                "2025-09-02, 2025-09-09, weekly, start_date: the week that begins on 2025-09-08",
                "2025-09, 2025-10, monthly, -",
                "2025-09-01, 2025-10-31, monthly, -",
                "2025-09-01, 2025-10-01, monthly, -",
                "2025-09-01, 2025-10-30, monthly, end_date: all of 2025-09 to 2025-10",
                "2025-09-02, 2025-09-30, monthly, start_date: all of 2025-09",
                "2025-09-02, 2025-09-28, daily, -",
            })
    void aRangeThatCutsPeriodsIsWarnedAbout(
            String start, String end, String granularity, @Nullable String fieldAndPeriods) {
        String change =
                "{\"start_date\":\"%s\",\"end_date\":\"%s\",\"granularity\":\"%s\"}".formatted(start, end, granularity);
        CheckedRequest.Valid valid =
                TestRequests.valid("traffic_and_engagement", TestRequests.body("traffic_and_engagement", change));
        assertThat(valid.warnings()).isEqualTo(valid.changes());
        if (fieldAndPeriods == null) {
            assertThat(valid.warnings()).isEmpty();
        } else {
            String[] parts = fieldAndPeriods.split(": ", 2);
            assertThat(valid.warnings())
                    .containsExactly("%s: %s to %s is not a range of whole %s periods; the report has %s"
                            .formatted(parts[0], start, end, granularity, parts[1]));
        }
    }

    @ParameterizedTest
    @CsvSource({"json, gzip", "parquet, zstd", "csv, zstd"})
    void formatAndCompressionGoTogether(String format, String compression) {
        String change = "{\"response_format\":\"%s\",\"compression\":\"%s\"}".formatted(format, compression);
        assertThat(TestRequests.query("demographics", change).output())
                .isEqualTo(new Output("download_link", format, "none", compression));
    }

    @Test
    void leftOutMeans() {
        ReportQuery query = TestRequests.query("traffic_and_engagement", "{}");
        assertThat(query.countries()).containsExactly("WW");
        assertThat(query.filters()).isEmpty();
        assertThat(query.subdomains()).isFalse();
        assertThat(query.limit()).isNull();
        assertThat(query.output()).isEqualTo(Output.CSV);
    }

    @Test
    void aFieldThatIsNullIsAsIfItWereNotThere() {
        String body = TestRequests.body("demographics", "{}");
        String nulls = body.replaceFirst(
                "\\{",
                "{\"limit\":null,\"filters\":null,\"age_group\":null,\"webhook_url\":null,\"subdomains\":null,\"latest\":null,");
        assertThat(TestRequests.valid("demographics", nulls).request())
                .isEqualTo(TestRequests.valid("demographics", body).request());
        String inside = TestRequests.body("demographics", "{\"domains\":null}")
                .replaceFirst("\\{", "{\"domains\":null,\"filters\":{\"domains\":[\"a.com\"],\"genders\":null},");
        assertThat(TestRequests.valid("demographics", inside).request())
                .isEqualTo(TestRequests.valid("demographics", body).request());
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"world\"]", "[\"ww\"]", "[\"World\",\"WW\"]"})
    void theWorldHasSeveralNames(String countries) {
        CheckedRequest.Valid valid = TestRequests.valid(
                "demographics", TestRequests.body("demographics", "{\"countries\":" + countries + "}"));
        assertThat(valid.request().query().countries()).containsExactly("WW");
        assertThat(valid.warnings()).hasSize(countries.contains(",") ? 1 : 0);
        assertThat(valid.changes()).as("a duplicate changes nothing").isEmpty();
    }

    @Test
    void aWebhookWithoutASchemeIsHttps() {
        CheckedRequest.Valid valid = TestRequests.valid(
                "demographics", TestRequests.body("demographics", "{\"webhook_url\":\"foo.com:8443/in?a=b\"}"));
        assertThat(valid.request().webhookUrl()).isEqualTo("https://foo.com:8443/in?a=b");
        assertThat(valid.warnings()).containsExactly("webhook_url: has no scheme, so it is taken as https");
        assertThat(valid.changes()).isEqualTo(valid.warnings());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://my_site.example:8443/hook", "http://_hooks.example", "https://example.com/größe?ü=1"})
    void aWebhookMayHaveAHostThatDnsHas(String url) {
        CheckedRequest.Valid valid = TestRequests.valid(
                "demographics", TestRequests.body("demographics", "{\"webhook_url\":\"" + url + "\"}"));
        assertThat(valid.request().webhookUrl()).isEqualTo(url);
        assertThat(valid.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0,", "1,1", "1000000000,1000000000"})
    void aReportCanBeginWithALaterRow(int sent, @Nullable Integer offset) {
        CheckedRequest.Valid valid = TestRequests.valid(
                "demographics", TestRequests.body("demographics", "{\"limit\":5,\"offset\":" + sent + "}"));
        assertThat(valid.request().query().offset()).isEqualTo(offset);
        CheckedRequest.Valid whole =
                TestRequests.valid("demographics", TestRequests.body("demographics", "{\"limit\":5}"));
        assertThat(valid.quote()).as("the most it can cost").isEqualTo(whole.quote());
    }

    /** How many of the domains are in the data is not known here. */
    @Test
    void anEstimateMayBeAboveMaxCredits() {
        CheckedRequest.Valid valid =
                TestRequests.valid("demographics", TestRequests.body("demographics", "{\"max_credits\":1}"));
        assertThat(valid.request().maxCredits()).isEqualTo(1);
        assertThat(valid.quote().credits()).isEqualTo(36);
    }

    @Test
    void aReportHasTags() {
        Map<String, String> tags = Map.of("team", "seo", "client.name", "ACME & Söhne");
        ReportRequest tagged = TestRequests.valid(
                        "demographics",
                        TestRequests.body(
                                "demographics", "{\"tags\":{\"team\":\"seo\",\"client.name\":\"ACME & Söhne\"}}"))
                .request();
        assertThat(tagged.tags()).isEqualTo(tags);
        String none = TestRequests.body("demographics", "{\"tags\":{}}");
        assertThat(TestRequests.valid("demographics", none).request())
                .isEqualTo(TestRequests.valid("demographics", TestRequests.body("demographics", "{}"))
                        .request());
    }

    /** As keywords are; but blanks around a value and its case are the client's. */
    @Test
    void tagsAndNamesAreInNormalForm() {
        ReportRequest request = TestRequests.valid(
                        "demographics",
                        TestRequests.body(
                                "demographics",
                                "{\"tags\":{\"z\":\" So\u0308hne \",\"a\":\" A \"},\"report_name\":\"\u00a0So\u0308hne\u3000\"}"))
                .request();
        assertThat(request.tags()).isEqualTo(Map.of("z", " S\u00f6hne ", "a", " A "));
        assertThat(request.reportName()).isEqualTo("S\u00f6hne");
    }

    @Test
    void aReportHasANameAndATimeToBeKept() {
        ReportRequest request = TestRequests.valid(
                        "demographics",
                        TestRequests.body(
                                "demographics", "{\"report_name\":\" weekly audience \",\"retention_days\":180}"))
                .request();
        assertThat(request.reportName()).isEqualTo("weekly audience");
        assertThat(request.retentionDays()).isEqualTo(180);
    }

    @Test
    void rowsMayBeAskedForInTheOrderThatTheyHave() {
        String change = "{\"sort\":\"desktop_keywords_total_visits\",\"sort_asc\":false}";
        assertThat(TestRequests.query("site_keywords", change)).isEqualTo(TestRequests.query("site_keywords", "{}"));
    }

    @Test
    void integersOfAFilterAreSortedAsNumbers() {
        assertThat(TestRequests.query("traffic_and_engagement", "{\"category_ids\":[10,9,10,0]}")
                        .filters())
                .isEqualTo(Map.of("category_id", List.of("0", "9", "10")));
    }

    @Test
    void manyValuesOfAFilterGoIntoAList() {
        String values = keywords(2_000, 5);
        CheckedRequest.Valid valid = TestRequests.valid(
                "site_keywords", TestRequests.body("site_keywords", "{\"keywords\":" + values + "}"));
        ReportQuery query = valid.request().query();
        assertThat(query.filters().get("keyword")).hasSize(EntityList.SHOWN).startsWith("keyword 0 xxxxx");
        assertThat(query.filterCount("keyword")).isEqualTo(2_000);
        SortedTextSet texts = Objects.requireNonNull(valid.filters().get("keyword"));
        assertThat(query.filterLists()).containsExactly(Map.entry("keyword", texts.filterList()));
        assertThat(texts.first(3_000)).hasSize(2_000);
        assertThat(valid.quote().rows())
                .isEqualTo(TestRequests.valid(
                                        "site_keywords", TestRequests.body("site_keywords", "{\"keywords\":[\"x\"]}"))
                                .quote()
                                .rows()
                        * 2_000);
    }

    @Test
    void aFilterHasNoMoreBytesThanAWorkerHolds() {
        CheckedRequest checked = TestRequests.check(
                "site_keywords", TestRequests.body("site_keywords", "{\"keywords\":" + keywords(20_000, 450) + "}"));
        assertThat(((CheckedRequest.Invalid) checked).errors())
                .containsExactly(
                        "keywords: has 9,288,889 bytes in all; accepted: at most 8,388,608, or leave the field out");
    }

    @Test
    void aFilterHasNoMoreValuesThanAre() {
        CheckedRequest checked = TestRequests.check(
                "site_keywords", TestRequests.body("site_keywords", "{\"keywords\":" + keywords(100_001, 0) + "}"));
        assertThat(((CheckedRequest.Invalid) checked).errors())
                .containsExactly(
                        "keywords: names more than 100,000; accepted: 1 to 100,000 keywords, or leave the field out");
    }

    private static String keywords(int count, int more) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"Keyword " + i + " " + "x".repeat(more) + "\"")
                .collect(Collectors.joining(",", "[", "]"));
    }

    @Test
    void keywordsAreTrimmedAndLowerCase() {
        assertThat(TestRequests.query("keywords", "{\"keywords\":[\" Running  Shoes\\t\",\"größe\",\"👟\",\"ﬀ\"]}")
                        .entities())
                .containsExactly("größe", "running  shoes", "ﬀ", "👟");
    }

    /** Two ways to write one keyword are one keyword, found once and charged once. */
    @Test
    void keywordsThatLookTheSameAreTheSame() {
        CheckedRequest.Valid valid = TestRequests.valid("keywords", TestRequests.body("keywords", """
                {"keywords":["caf\u00e9 bar","cafe\u0301 bar","\u00a0CAFE\u0301\u00a0bar\u3000","caf\u00e9\u3000bar"]}"""));
        assertThat(valid.request().query().entities()).containsExactly("caf\u00e9 bar");
        assertThat(valid.warnings()).containsExactly("keywords: 3 duplicates were dropped");
    }

    @Test
    void droppedDuplicatesAreWarnedAbout() {
        CheckedRequest.Valid valid = TestRequests.valid("demographics", TestRequests.body("demographics", """
                        {"domains":["a.com","A.com","a.com"],"countries":["US","US"],"genders":["male","Male"],
                         "metrics":["demographics_share","demographics_share"]}"""));
        assertThat(valid.warnings())
                .containsExactlyInAnyOrder(
                        "domains: 2 duplicates were dropped",
                        "metrics: 1 duplicate was dropped",
                        "countries: 1 duplicate was dropped",
                        "genders: 1 duplicate was dropped");
    }

    @Test
    void anOpenNumberOfRowsIsWarnedAbout() {
        assertThat(TestRequests.valid("site_keywords", TestRequests.body("site_keywords", "{}"))
                        .warnings())
                .containsExactly(
                        "estimate: the number of rows is open; it counts the most there can be, 1,000 per entity,"
                                + " country and period, so the real charge may be lower");
        assertThat(TestRequests.valid("site_keywords", TestRequests.body("site_keywords", "{\"keywords\":[\"x\"]}"))
                        .warnings())
                .isEmpty();
    }

    @Test
    void errorsBeyondAHundredAreCounted() {
        String domains =
                IntStream.range(0, 1_250).mapToObj(i -> "\"-" + i + "\"").collect(Collectors.joining(","));
        CheckedRequest checked = TestRequests.check(
                "demographics", TestRequests.body("demographics", "{\"domains\":[" + domains + "]}"));
        assertThat(((CheckedRequest.Invalid) checked).errors())
                .hasSize(101)
                .last()
                .isEqualTo("and 1,150 more");
    }

    @Test
    void entitiesAreCountedAfterTheirDuplicatesWereDropped() {
        var validator = new RequestValidator(new RequestLimits(2));
        byte[] two = TestRequests.body("demographics", "{\"domains\":[\"a.com\",\"A.com\",\"b.com\",\"B.com\"]}")
                .getBytes(StandardCharsets.UTF_8);
        byte[] three = TestRequests.body("demographics", "{\"domains\":[\"a.com\",\"b.com\",\"c.com\"]}")
                .getBytes(StandardCharsets.UTF_8);
        Dataset demographics = TestRequests.dataset("demographics");
        assertThat(validator.validate(demographics, two, TestRequests.ALL, ApiDialect.V3))
                .isInstanceOf(CheckedRequest.Valid.class);
        assertThat(((CheckedRequest.Invalid) validator.validate(demographics, three, TestRequests.ALL, ApiDialect.V3))
                        .errors())
                .singleElement()
                .asString()
                .startsWith("domains: names more than 2; accepted: 1 to 2 of them");
    }
}
