package millrace.catalog.original;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import millrace.catalog.validation.CheckedRequest;
import millrace.catalog.validation.RequestContext;
import millrace.catalog.validation.RequestLimits;
import millrace.catalog.validation.RequestValidator;
import millrace.catalog.validation.TestRequests;
import millrace.contracts.Json;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.ReportQuery;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NestedBodyTest {
    /** Everything that a body may say. */
    private static final String FULL = """
            {"report_name":"my report","max_credits":500,
             "delivery_information":{"delivery_method":"download_link","response_format":"json","compression":"gzip",
               "csv_safety":"none","webhook_url":"https://hooks.example.com/in",
               "delivery_method_params":{"retention_days":60,"integration_name":null,"table_name":null}},
             "report_query":{"tables":[{"vtable":"demographics","granularity":"monthly",
               "filters":{"domains":["b.com","A.com"],"countries":["us","world"],"include_subdomains":true,
                 "age_groups":["65+"],"genders":["male"]},
               "metrics":["demographics_share"],"start_date":"2025-01","end_date":"2025-03","latest":false,
               "paging":{"limit":100,"offset":0,"sort":"domain","sort_asc":"true"}}]}}""";

    private static final String FLAT = """
            {"report_name":"my report","max_credits":500,"delivery_method":"download_link","response_format":"json",
             "compression":"gzip","csv_safety":"none","webhook_url":"https://hooks.example.com/in","retention_days":60,
             "granularity":"monthly","filters":{"domains":["b.com","A.com"],"countries":["us","world"],
             "include_subdomains":true,"age_groups":["65+"],"genders":["male"]},"metrics":["demographics_share"],
             "start_date":"2025-01","end_date":"2025-03","latest":false,"limit":100,"offset":0,"sort":"domain",
             "sort_asc":true}""";

    @Test
    void isTheSameRequestAsThatOfV3() throws IOException {
        var v3 = new ByteArrayOutputStream();
        ReadBody body = read(FULL, v3);
        assertThat(body.dataset()).contains(TestRequests.dataset("demographics"));
        assertThat(Json.MAPPER.readTree(v3.toByteArray())).isEqualTo(Json.MAPPER.readTree(FLAT));
        assertThat(valid(FULL).request())
                .isEqualTo(TestRequests.valid("demographics", FLAT).request());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"demographics", "audience_interests", "keywords", "site_keywords", "traffic_and_engagement"})
    void eachDatasetCanBeNamed(String dataset) {
        String flat = TestRequests.body(dataset, "{}");
        assertThat(valid(nested(dataset, flat)).request())
                .isEqualTo(TestRequests.valid(dataset, flat).request());
    }

    /** What is wrong is said of the field as it was sent, and all of it at once. */
    @Test
    void namesFieldsAsTheyWereSent() {
        String body = """
                {"report_nam":"x","delivery_information":{"delivery_method":"bucket_access","format":"csv",
                   "delivery_method_params":{"retention_days":45,"integration_name":"s3_default"}},
                 "report_query":{"tables":[{"vtable":"demographics","granularity":"monthly",
                   "filters":{"domains":["a b",7],"country":["US"],"age_groups":["1-2"],"limit":5},
                   "metrics":["demographics_share",null,"demographics_shar"],
                   "start_date":"2025-01","end_date":"2025-13","paging":{"limit":0,"offset":-5,"sort_asc":"maybe"}},{}]}}""";
        assertThat(errors(body))
                .extracting(sentence -> sentence.substring(0, sentence.indexOf(": ")))
                .containsExactlyInAnyOrder(
                        "body",
                        "delivery_information",
                        "delivery_information.delivery_method",
                        "delivery_information.delivery_method_params.integration_name",
                        "delivery_information.delivery_method_params.retention_days",
                        "report_query.tables",
                        "report_query.tables[0].paging.offset",
                        "report_query.tables[0].paging.sort_asc",
                        "report_query.tables[0].paging.limit",
                        "report_query.tables[0].filters",
                        "report_query.tables[0].filters.limit",
                        "report_query.tables[0].filters.domains",
                        "report_query.tables[0].filters.domains[1]",
                        "report_query.tables[0].filters.age_groups",
                        "report_query.tables[0].filters.countries",
                        "report_query.tables[0].metrics[1]",
                        "report_query.tables[0].metrics",
                        "report_query.tables[0].end_date");
    }

    @Test
    void readsHowAReportIsCutIntoFiles() {
        String body = nested("demographics", TestRequests.body("demographics", "{}"));
        String split = body.replaceFirst("\"report_query\":\\{", "\"report_query\":{\"split\":{\"max_rows\":10000},");
        assertThat(valid(split).request().query().split()).isEqualTo(new ReportQuery.Split(10_000, 1));
        assertThat(errors(split.replace("10000", "1")))
                .containsExactly("report_query.split.max_rows: 1 is too small; accepted: at least 10,000");
        assertThat(errors(split.replace("max_rows", "rows")))
                .containsExactly(
                        "report_query.split: \"rows\" is not a field of it; accepted: max_rows",
                        "report_query.split.max_rows: is missing; accepted: the most rows of a file");
        String files = body.replaceFirst(
                "\\{", "{\"delivery_information\":{\"delivery_method_params\":{\"num_of_files\":7}},");
        assertThat(valid(files).request().query().split()).isEqualTo(new ReportQuery.Split(null, 7, 1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | body: must be a JSON object, but is empty",
                "[] | body: must be a JSON object, but is an array",
                "{ | body: is not valid JSON: it ends in the middle",
                "{'report_query':{'tables':[{'vtable':'keywords'}]}}{} | body: must be one JSON object, but something follows it",
                "{} | report_query: is missing; accepted: an object with tables",
                "{'report_query':null} | report_query: is missing; accepted: an object with tables",
                "{'report_query':{}} | report_query.tables: is missing; accepted: one table",
                "{'report_query':{'tables':[]}} | report_query.tables: names nothing; accepted: one table, since a report has one",
                "{'report_query':{'tables':[5]}} | report_query.tables[0]: must be an object, not an integer",
                "{'report_query':{'tables':{}}} | report_query.tables: must be an array of objects, not an object",
                "{'report_query':{'tables':[{}]}} | report_query.tables[0].vtable: is missing; accepted: demographics,"
                        + " audience_interests, keywords, site_keywords, traffic_and_engagement",
                "{'report_query':{'tables':[{'vtable':'demographic'}]}} | report_query.tables[0].vtable: ~demographic~ is not a"
                        + " dataset here; did you mean demographics?; accepted: demographics, audience_interests, keywords,"
                        + " site_keywords, traffic_and_engagement",
                "{'report_query':{'tables':[{'vtable':7}]}} | report_query.tables[0].vtable: must be a string, not an integer",
                "{'report_query':{'tables':[{'vtables':null}]}} | report_query.tables[0]: ~vtables~ is not a field here; did you mean"
                        + " vtable?; accepted: granularity, filters, metrics, start_date, end_date, latest, window_size, all_history, paging, vtable",
            })
    void aBodyWithoutADatasetSaysWhy(String body, String first) {
        assertThat(errors(body.replace('\'', '"')).getFirst()).isEqualTo(first.replace('~', '"'));
    }

    @Test
    void severalTablesAreForSeveralReports() {
        String two = FULL.replace("}]}}", "},{\"vtable\":\"keywords\"}]}}");
        assertThat(errors(two))
                .containsExactly("report_query.tables: has 2 tables; accepted: one table, since a report has one");
    }

    @Test
    void ofManyErrorsAHundredAreSaid() {
        var body = new StringBuilder("{");
        for (int i = 0; i < 1_000; i++) {
            body.append("\"f").append(i).append("\":1,");
        }
        assertThat(errors(body.append(FULL.substring(1)).toString()))
                .hasSize(101)
                .last()
                .isEqualTo("and 900 more");
    }

    @Test
    void whatCannotBeWrittenIsNoFaultOfTheClient() {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("no space");
            }
        };
        assertThatThrownBy(() -> read(FULL, full)).isInstanceOf(UncheckedIOException.class);
    }

    @Property(tries = 2_000)
    void noDamageMakesItThrow(@ForAll long seed) {
        var random = new Random(seed);
        byte[] body = FULL.getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4); i >= 0; i--) {
            body[random.nextInt(body.length)] = (byte) "{}[]\":,\\ud8a7n0".charAt(random.nextInt(15));
        }
        var v3 = new ByteArrayOutputStream();
        ReadBody read = NestedBody.translate(new ByteArrayInputStream(body), v3, TestRequests.CATALOG);
        if (read.dataset().isEmpty()) {
            assertThat(read.sent().invalid().errors()).isNotEmpty();
        } else if (read.sent().errors().isEmpty()) {
            assertThat(check(read, v3.toByteArray())).isNotNull();
        }
    }

    /** A flat body in the form of v4, with what can be filtered in filters. */
    private static String nested(String dataset, String flat) {
        try {
            ObjectNode table = (ObjectNode) Json.MAPPER.readTree(flat);
            ObjectNode filters = Json.MAPPER.createObjectNode();
            for (String field : Set.of("domains", "keywords", "countries", "category_ids")) {
                JsonNode value = table.remove(field);
                if (value != null) {
                    filters.set(field, value);
                }
            }
            table.put("vtable", dataset).set("filters", filters);
            ObjectNode body = Json.MAPPER.createObjectNode();
            body.putObject("report_query").putArray("tables").add(table);
            return body.toString();
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(flat, e);
        }
    }

    private static CheckedRequest.Valid valid(String body) {
        CheckedRequest checked = check(body);
        assertThat(checked).as(checked.toString()).isInstanceOf(CheckedRequest.Valid.class);
        return (CheckedRequest.Valid) checked;
    }

    private static List<String> errors(String body) {
        assertThat(check(body)).isInstanceOf(CheckedRequest.Invalid.class);
        return ((CheckedRequest.Invalid) check(body)).errors();
    }

    private static CheckedRequest check(String body) {
        var v3 = new ByteArrayOutputStream();
        ReadBody read = read(body, v3);
        return read.dataset().isEmpty() ? read.sent().invalid() : check(read, v3.toByteArray());
    }

    private static CheckedRequest check(ReadBody read, byte[] v3) {
        var context = new RequestContext(TestRequests.ALL, ApiDialect.V3, granularity -> Optional.empty(), read.sent());
        return new RequestValidator(RequestLimits.DEFAULT)
                .validate(read.dataset().orElseThrow(), new ByteArrayInputStream(v3), context);
    }

    private static ReadBody read(String body, OutputStream v3) {
        return NestedBody.translate(
                new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)), v3, TestRequests.CATALOG);
    }
}
