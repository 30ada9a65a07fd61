package millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.topics.Topics;
import millrace.files.disk.DiskReportStore;
import millrace.gateway.api.datasets.TestDictionaries;
import millrace.gateway.fuzz.ServedApiDocument;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What public programs send that were written for the original API, and what they read of the answers, in their order.
 * Each is written after what is publicly known of the program, with domains and metrics that are here.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OriginalClientsIT {
    private static final String STATUS = "/v3/batch/request-status/";
    private static final long GRANTED = 100_000_000;
    private static final List<String> WAITING = List.of("pending", "processing", "retry");
    private static final String CSV = String.join(
            "\r\n",
            "domain,country,date,desktop_audience_interests_overlap",
            "example.com,US,2025-01-01,0.25",
            "example.org,US,2025-01-01,",
            "");

    /** The data that are known end with the month. */
    private static final LocalDate LAST_MONTH = LocalDate.parse("2026-03-01");

    /** In the form of v4, as the connectors and the two loaders send it. */
    private static final String NESTED = """
            {"report_name":"nightly","delivery_information":{"response_format":"csv","delivery_method":"download_link"},
             "report_query":{"tables":[{"vtable":"audience_interests","granularity":"monthly",
               "filters":{"domains":["example.com","example.org"],"countries":["US"],"include_subdomains":true},
               "metrics":["desktop_audience_interests_overlap"],%s}]}}""";

    private static final String DATED = NESTED.formatted("\"start_date\":\"2025-01\",\"end_date\":\"2025-02\"");

    @TempDir
    static Path reports;

    private TestKafka kafka;
    private TestGateway gateway;
    private FakeProcessor ledger;
    private ServedApiDocument document;

    @BeforeAll
    void start() throws IOException {
        kafka = TestKafka.withTopics(3);
        gateway = TestGateway.start(kafka.bootstrapServers(), reports);
        ledger = new FakeProcessor(kafka.bootstrapServers());
        document = new ServedApiDocument(gateway.get("/openapi.json").body());
        publish("demographics", List.of("example.com", "example.org"), LAST_MONTH, "v1");
        publish("keywords", List.of("running shoes"), LAST_MONTH, "v1");
        dataEndWith(LAST_MONTH, "v1");
    }

    @AfterAll
    void stop() {
        gateway.close();
        ledger.close();
        kafka.close();
    }

    @BeforeEach
    void givesCredits() {
        // Reports of earlier tests are unanswered, so they count; hence plenty.
        ledger.balance("acme", GRANTED, 0);
        await().until(() -> remaining() > GRANTED / 2);
    }

    static List<ServiceDescription.Example> examples() {
        return ServiceDescription.examples();
    }

    /**
     * Every request of the description stays valid, and every field of its answers keeps name, type and value. Answers are as
     * the document says that is served.
     */
    @ParameterizedTest
    @MethodSource("examples")
    void theDescriptionStaysTrue(ServiceDescription.Example example) {
        JsonNode content = example.content();
        String path = content.path("path").asText();
        if (path.contains("{report}")) {
            JsonNode demographics = examples().stream()
                    .filter(e -> e.name().equals("demographics"))
                    .findFirst()
                    .orElseThrow()
                    .content();
            HttpResponse<String> accepted = gateway.post(
                    demographics.path("path").asText(),
                    demographics.path("request").toString());
            path = path.replace("{report}", json(accepted).path("report_id").asText());
        }
        HttpResponse<String> answer = content.path("method").asText().equals("GET")
                ? gateway.get(path, path.contains("api_key=") ? null : TestGateway.KEY)
                : gateway.post(path, content.path("request").toString());
        assertThat(answer.statusCode())
                .as(answer.body())
                .isEqualTo(content.path("status").asInt());
        assertThat(ServiceDescription.differences(content.path("answer"), json(answer), "answer"))
                .as(answer.body())
                .isEmpty();
        assertThat(document.fault(answer)).as(answer.body()).isEmpty();
    }

    /** The connector: asks with a name at v4, polls the status of v3, loads the file without a key, splits it at commas. */
    @Test
    void theConnectorSyncs() throws IOException {
        HttpResponse<String> accepted = gateway.post("/batch/v4/request-report", DATED);
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(200);
        assertThat(accepted.body()).matches("\\{\"report_id\":\"[0-9a-f-]{36}\",\"status\":\"pending\"}");
        UUID id = id(accepted);
        assertThat(polled(STATUS + id, Map.of("api-key", TestGateway.KEY))).isEqualTo("pending");
        render(id);
        await().untilAsserted(() -> assertThat(polled(STATUS + id, Map.of("api-key", TestGateway.KEY)))
                .isEqualTo("processing"));
        complete(id, CSV);
        JsonNode status = await().until(() -> json(gateway.get(STATUS + id)), s -> !isWaiting(s));
        assertThat(status.path("status").asText()).isEqualTo("completed").isNotIn("bad_request", "failed");
        assertThat(status.path("report_name").asText()).isEqualTo("nightly");
        HttpResponse<String> file = gateway.get(status.path("download_url").asText(), null);
        assertThat(file.statusCode()).isEqualTo(200);
        List<String> lines = Arrays.asList(file.body().strip().split("\r?\n", -1));
        List<String> header = Arrays.asList(lines.getFirst().split(",", -1));
        assertThat(header).startsWith("domain", "country", "date");
        for (String line : lines.subList(1, lines.size())) {
            assertThat(line.split(",", -1)).hasSameSizeAs(header);
        }
        assertThat(lines.get(1).split(",", -1)[2]).matches("\\d{4}-\\d\\d-\\d\\d");
    }

    /**
     * The marketing processor: looks at tables and credits, validates before it pays, takes 200 for accepted and 400 for a
     * metric that is not in the table, polls, retries what failed with the same id.
     */
    @Test
    void theMarketingProcessorGuardsItsCredits() throws IOException {
        String key = TestGateway.ORIGINAL_KEY;
        JsonNode tables = json(gateway.get("/v3/batch/tables/describe", key));
        assertThat(tables.findValuesAsText("table")).contains("audience_interests", "traffic_and_engagement");
        assertThat(tables.path(0).path("table_metrics").isArray()).isTrue();
        assertThat(tables.path(0).path("table_granularity").isObject()).isTrue();
        assertThat(tables.path(0).path("table_filters").isArray()).isTrue();
        JsonNode credits = json(gateway.get("/v3/batch/credits", key));
        assertThat(credits.path("remaining_credits").asLong())
                .isPositive()
                .isEqualTo(credits.path("credits").asLong());
        assertThat(json(gateway.get("/v3/batch/user-credits", key)).toString())
                .isEqualTo("{\"user_allowance\":null,\"user_remaining\":null}");

        String body = """
                {"metrics":["desktop_audience_interests_overlap"],
                 "filters":{"domains":["example.com"],"countries":["WW"],"include_subdomains":true},
                 "granularity":"monthly","start_date":"2025-01-01","end_date":"2025-02-28",
                 "response_format":"csv","delivery_method":"download_link"}""";
        String table = "/v3/batch/audience_interests";
        HttpResponse<String> validated = gateway.post(table + "/request-validate", key, body);
        assertThat(validated.statusCode()).isEqualTo(200);
        assertThat(json(validated).path("is_valid").asBoolean()).isTrue();
        assertThat(json(validated).path("estimated_credits").asLong()).isPositive();
        assertThat(json(validated).path("warnings").isArray()).isTrue();
        String wrong = body.replace("desktop_audience_interests_overlap", "all_traffic_visits");
        JsonNode invalid = json(gateway.post(table + "/request-validate", key, wrong));
        assertThat(invalid.path("is_valid").asBoolean()).isFalse();
        assertThat(invalid.path("errors").path(0).isTextual()).isTrue();
        assertThat(gateway.post(table + "/request-report", key, wrong).statusCode())
                .isEqualTo(400);

        HttpResponse<String> accepted = gateway.post(table + "/request-report", key, body);
        assertThat(accepted.statusCode()).isEqualTo(200);
        UUID id = id(accepted);
        fail(id);
        await().untilAsserted(() ->
                assertThat(polled(STATUS + id, Map.of("api-key", key))).isEqualTo("internal_error"));
        HttpResponse<String> retried = gateway.send("POST", "/v3/batch/retry/" + id, key, new byte[0], Map.of());
        assertThat(retried.statusCode()).as(retried.body()).isEqualTo(200);
        assertThat(id(retried)).isEqualTo(id);
        assertThat(polled(STATUS + id, Map.of("api-key", key))).isEqualTo("retry");
    }

    /** The loaders into PostgreSQL: poll request-query, which is 404 until the report is known, for a link; header api_key. */
    @Test
    void theLoadersPollTheQuery() throws IOException {
        Map<String, String> header = Map.of("api_key", TestGateway.ORIGINAL_KEY);
        String path = "/v3/batch/request-query?report_id=";
        assertThat(gateway.send("GET", path + UUID.randomUUID(), null, null, header)
                        .statusCode())
                .isEqualTo(404);
        HttpResponse<String> accepted = gateway.send(
                "POST",
                "/v3/batch/request-report",
                null,
                """
                {"metrics":["desktop_audience_interests_overlap"],"filters":{"domains":["example.com"],"countries":["US"]},
                 "granularity":"monthly","start_date":"2025-01","end_date":"2025-01"}""".getBytes(StandardCharsets.UTF_8),
                Map.of("api_key", TestGateway.ORIGINAL_KEY, "Content-Type", "application/json"));
        UUID id = id(accepted);
        JsonNode waiting = json(gateway.send("GET", path + id, null, null, header));
        assertThat(waiting.path("status").asText()).isEqualTo("pending");
        assertThat(waiting.has("download_link")).isFalse();
        complete(id, CSV);
        JsonNode done = await().until(
                        () -> json(gateway.send("GET", path + id, null, null, header)), d -> d.has("download_link"));
        assertThat(done.path("status").asText()).isEqualTo("completed");
        assertThat(done.path("metrics").path(0).asText()).isEqualTo("desktop_audience_interests_overlap");
        List<String> rows = gateway.get(done.path("download_link").asText(), null)
                .body()
                .lines()
                .toList();
        assertThat(rows.get(1)).startsWith("example.com,US,2025-01-01,");
        assertThat(rows.get(2)).as("a missing value is empty").endsWith(",");
        // With the id in the path the answer is the request alone.
        assertThat(json(gateway.get("/v3/batch/request-query/" + id)).has("status"))
                .isFalse();
        assertThat(gateway.get("/v3/batch/request-query").statusCode()).isEqualTo(400);
    }

    /** The notebook: the oldest path and body, a country in lower case, and once metrics that do not go together. */
    @Test
    void theNotebookAsksForMetricsOfOneTable() throws IOException {
        String key = TestGateway.ORIGINAL_KEY;
        String body = """
                {"domains":["example.com"],"countries":["gb"],"metrics":["desktop_audience_interests_overlap"],
                 "start_date":"2025-01","end_date":"2025-02","granularity":"monthly","response_format":"csv",
                 "delivery_method":"download_link"}""";
        HttpResponse<String> mixed =
                gateway.post("/v3/batch/request-report", key, body.replace("\"],\n", "\",\"demographics_share\"],\n"));
        assertThat(mixed.statusCode()).isEqualTo(400);
        assertThat(json(mixed).path("errors").path(0).asText()).startsWith("metrics: belong to several datasets");
        assertThat(json(gateway.post("/v3/batch/request-validate", key, body))
                        .path("is_valid")
                        .asBoolean())
                .isTrue();
        UUID id = id(gateway.post("/v3/batch/request-report", key, body));
        assertThat(query(id).countries()).containsExactly("GB");
        complete(id, CSV);
        await().untilAsserted(() ->
                assertThat(polled(STATUS + id, Map.of("api_key", key))).isEqualTo("completed"));
    }

    /** The proxy: shows the errors of a refused request as they are. */
    @Test
    void theProxyShowsErrors() {
        HttpResponse<String> refused = gateway.post(
                "/batch/v5/request-report", DATED.replace("2025-02", "2027-02").replace("US", "XX"));
        assertThat(refused.statusCode()).isEqualTo(400);
        JsonNode errors = json(refused).path("errors");
        assertThat(errors).hasSize(2).allSatisfy(error -> assertThat(error.isTextual())
                .isTrue());
        assertThat(errors.path(0).asText())
                .startsWith("report_query.tables[0].filters.countries: \"XX\" is not available");
        assertThat(errors.path(1).asText())
                .startsWith("report_query.tables[0].end_date: the last monthly period, 2027-02,");
        assertThat(json(gateway.get("/v3/batch/credits", "wrong"))
                        .path("errors")
                        .isArray())
                .isTrue();
    }

    /** The readers of capabilities: take an answer without remaining_hits for a wrong key, and compare codes in lower case. */
    @Test
    void readersOfCapabilitiesFindTheirFields() {
        JsonNode record = json(gateway.get("/capabilities?api_key=" + TestGateway.KEY, null));
        assertThat(record.path("remaining_hits").isIntegralNumber()).isTrue();
        for (String category : List.of("web_desktop_data", "web_mobile_data")) {
            JsonNode block = record.path(category);
            assertThat(LocalDate.parse(block.at("/snapshot_interval/start_date").asText()))
                    .isBefore(LocalDate.parse(
                            block.at("/snapshot_interval/end_date").asText()));
            assertThat(block.path("countries"))
                    .allSatisfy(
                            country -> assertThat(country.path("code").asText().toLowerCase(Locale.ROOT))
                                    .hasSize(2))
                    .allSatisfy(country ->
                            assertThat(country.path("name").isTextual()).isTrue());
        }
        for (String category : List.of("app_data", "app_engagement_data")) {
            assertThat(record.path(category).path("countries").isArray()).isTrue();
            assertThat(record.path(category).path("snapshot_interval"))
                    .isEqualTo(record.path("web_desktop_data").path("snapshot_interval"));
        }
        assertThat(record.path("app_engagement_data").path("countries").isArray())
                .isTrue();
        HttpResponse<String> wrong = gateway.get("/capabilities?api_key=wrong", null);
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(json(wrong).has("remaining_hits")).isFalse();
        JsonNode user = json(gateway.get("/user-capabilities?api_key=" + TestGateway.REST_KEY, null));
        assertThat(user.path("allowance").asLong()).isEqualTo(GRANTED);
        assertThat(user.path("user_remaining").asLong()).isEqualTo(remaining());
        assertThat(gateway.get("/user-capabilities", null).statusCode()).isEqualTo(401);
    }

    /** The two that load into a data warehouse: latest with a start, and without any date, as JSON Lines. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v4 | \"start_date\":\"2025-12\",\"latest\":true | 2025-12-01",
                "v5 | \"start_date\":\"2025-12\" | 2025-12-01",
                "v4 | \"latest\":true | 2026-03-01",
                "v5 | \"latest\":true,\"end_date\":null,\"start_date\":null | 2026-03-01",
            })
    void theWarehouseLoadersAskForTheLatest(String version, String dates, LocalDate first) {
        String body = NESTED.formatted(dates).replace("csv", "json");
        HttpResponse<String> accepted = gateway.post("/batch/" + version + "/request-report", body);
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(200);
        ReportQuery query = query(id(accepted));
        assertThat(query.dates().first()).isEqualTo(first);
        assertThat(query.dates().last()).isEqualTo(LAST_MONTH);
        assertThat(query.output().responseFormat()).isEqualTo("json");
    }

    /** Newer data come between a request and its repeat. */
    @Test
    void aRepeatWithLatestIsTheSameRequest() throws IOException {
        String body = NESTED.formatted("\"start_date\":\"2025-01\",\"latest\":true");
        UUID id = id(withKey(body, "nightly-1"));
        dataEndWith(LocalDate.parse("2026-04-01"), "v2");
        try {
            HttpResponse<String> again = withKey(body, "nightly-1");
            assertThat(id(again)).isEqualTo(id);
            assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
            assertThat(query(id).dates().last()).isEqualTo(LAST_MONTH);
            assertThat(query(id(withKey(body, "nightly-2"))).dates().last()).isEqualTo(LocalDate.parse("2026-04-01"));
            assertThat(withKey(body.replace("2025-01", "2025-02"), "nightly-1").statusCode())
                    .isEqualTo(409);
        } finally {
            dataEndWith(LAST_MONTH, "v3");
        }
    }

    @Test
    void validatesAtBothVersionsAndSpeaksTheSameDialectAtBothStatusPaths() {
        for (String version : List.of("v4", "v5")) {
            HttpResponse<String> answer = gateway.post("/batch/" + version + "/request-validate", DATED);
            assertThat(document.fault(answer)).isEmpty();
            JsonNode validated = json(answer);
            assertThat(validated.path("is_valid").asBoolean())
                    .as("%s", validated)
                    .isTrue();
            HttpResponse<String> accepted = gateway.post("/batch/" + version + "/request-report", DATED);
            assertThat(document.fault(accepted)).isEmpty();
            UUID id = id(accepted);
            HttpResponse<String> status = gateway.get("/batch/request-status/" + id);
            assertThat(document.fault(status)).isEmpty();
            assertThat(status.body()).isEqualTo(gateway.get(STATUS + id).body()).contains("\"status\":\"pending\"");
            for (String word : List.of("pending", "processing", "retry")) {
                assertThat(gateway.get("/v3/batch/report-history?limit=100&status=" + word)
                                .body())
                        .contains(id.toString());
            }
        }
        UUID own = id(gateway.post("/v3/batch/demographics/request-report", TestGateway.REQUEST));
        assertThat(gateway.get("/batch/request-status/" + own).body()).contains("\"status\":\"processing\"");
        assertThat(gateway.get("/batch/request-status/" + own, TestGateway.OTHER_KEY)
                        .statusCode())
                .isEqualTo(404);
        assertThat(gateway.get("/batch/request-status/" + own, null).statusCode())
                .isEqualTo(401);
    }

    @Test
    void whatTheRequestSaysReachesTheReport() {
        String body = DATED.replace(
                "\"delivery_method\":\"download_link\"",
                "\"webhook_url\":\"hooks.example.com/in\",\"delivery_method_params\":{\"retention_days\":60}");
        UUID id = id(gateway.post("/batch/v4/request-report", body));
        RequestReport command = command(id);
        assertThat(command.request().retentionDays()).isEqualTo(60);
        assertThat(command.request().webhookUrl()).isEqualTo("https://hooks.example.com/in");
        JsonNode query = json(gateway.get("/v3/batch/request-query/" + id));
        assertThat(query.path("report_name").asText()).isEqualTo("nightly");
        assertThat(query.path("retention_days").asInt()).isEqualTo(60);
        assertThat(query.path("subdomains").asBoolean()).isTrue();
        assertThat(gateway.get("/v3/batch/report-history?limit=100").body())
                .contains(
                        "\"report_id\":\"" + id + "\",\"dataset\":\"audience_interests\",\"report_name\":\"nightly\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"//v3/batch/credits", "/v3//batch/credits", "/v3/batch//credits//"})
    void twoSlashesAreOneAndTheKeyIsStillLookedFor(String path) {
        String address = gateway.address().toString().replaceFirst("/$", "") + path;
        assertThat(gateway.get(address, TestGateway.KEY).statusCode()).isEqualTo(200);
        assertThat(gateway.get(address, null).statusCode()).isEqualTo(401);
    }

    @Test
    void aLongBodyOfV4IsReadAsOneOfV3() {
        List<String> domains = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            domains.add("\"site" + i + ".example\"");
        }
        String body = DATED.replace("\"example.com\",\"example.org\"", String.join(",", domains));
        ledger.balance("other", 1_000_000_000, 0);
        String key = TestGateway.OTHER_KEY;
        HttpResponse<String> validated = gateway.post("/batch/v4/request-validate", key, body);
        assertThat(json(validated).path("is_valid").asBoolean())
                .as(validated.body())
                .isTrue();
        UUID id = id(
                await().until(() -> gateway.post("/batch/v4/request-report", key, body), a -> a.statusCode() != 402));
        assertThat(query(id).entityCount()).isEqualTo(20_000);
        String flat = "{\"domains\":[" + String.join(",", domains) + "],\"countries\":[\"US\"],"
                + "\"metrics\":[\"demographics_share\"],\"start_date\":\"2025-01\",\"end_date\":\"2025-01\","
                + "\"granularity\":\"monthly\"}";
        assertThat(query(id(gateway.post("/v3/batch/request-report", key, flat)))
                        .dataset())
                .isEqualTo("demographics");
    }

    /** Whoever did not validate, and looks at the report later, finds why it is not what the body says. */
    @Test
    void theStatusSaysHowTheReportDiffersFromItsRequest() {
        String body = NESTED.formatted("\"start_date\":\"2025-01\",\"end_date\":\"2025-02\",\"latest\":true")
                .replace(
                        "\"delivery_method\":\"download_link\"",
                        "\"delivery_method\":\"download_link\",\"webhook_url\":\"hooks.example.com/in\"");
        List<String> changes = List.of(
                "report_query.tables[0].end_date: latest is true, so the report ends with 2026-03 instead",
                "delivery_information.webhook_url: has no scheme, so it is taken as https");
        assertThat(warnings(gateway.post("/batch/v4/request-validate", body))).containsAll(changes);
        UUID id = id(gateway.post("/batch/v4/request-report", body));
        assertThat(warnings(gateway.get(STATUS + id))).isEqualTo(changes);
        assertThat(command(id).warnings()).isEqualTo(changes);
    }

    private static List<String> warnings(HttpResponse<String> response) {
        List<String> warnings = new ArrayList<>();
        json(response).path("warnings").forEach(warning -> warnings.add(warning.asText()));
        return warnings;
    }

    private void dataEndWith(LocalDate lastMonth, String version) throws IOException {
        publish("audience_interests", List.of("example.com", "example.org"), lastMonth, version);
        await().until(() ->
                gateway.get("/v3/batch/tables/describe").body().contains("\"version\":\"" + version + "\""));
    }

    private void publish(String dataset, List<String> names, LocalDate lastMonth, String version) throws IOException {
        var months = new DatasetFacts.Span(LocalDate.parse("2024-01-01"), lastMonth);
        var store = new DiskReportStore(reports, false);
        ledger.put(
                Topics.DATASET_EXAMPLES,
                dataset,
                TestDictionaries.write(store, dataset, version, names, Map.of("monthly", months)));
    }

    private HttpResponse<String> withKey(String body, String key) {
        return gateway.send(
                "POST",
                "/batch/v4/request-report",
                TestGateway.KEY,
                body.getBytes(StandardCharsets.UTF_8),
                Map.of("Content-Type", "application/json", "Idempotency-Key", key));
    }

    private long remaining() {
        return json(gateway.get("/v3/batch/credits")).path("remaining_credits").asLong();
    }

    private String polled(String path, Map<String, String> headers) {
        HttpResponse<String> answer = gateway.send("GET", path, null, null, headers);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer).path("status").asText();
    }

    private static boolean isWaiting(JsonNode status) {
        return WAITING.contains(status.path("status").asText());
    }

    private RequestReport command(UUID id) {
        return ledger.commands().stream()
                .filter(c -> c instanceof RequestReport r && r.reportId().equals(id))
                .map(RequestReport.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private ReportQuery query(UUID id) {
        return command(id).request().query();
    }

    private ReportStatus started(UUID id) {
        return command(id).undecidedStatus("acme").started(1, Instant.now());
    }

    private void render(UUID id) {
        ledger.status(started(id).progressed(new ReportStatus.Progress(ReportPhase.RENDERING, 0.5), Instant.now()));
    }

    private void fail(UUID id) {
        var failure = new ReportStatus.Failure(ErrorCode.RENDER_FAILED, "it did not work out", true);
        ledger.status(started(id).failed(1, failure, Instant.now()));
    }

    private void complete(UUID id, String content) throws IOException {
        String name = id + "/1/0-1";
        Path file = reports.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        var result = new ReportStatus.Result(
                new ResultCounts(2, 1, 0),
                1,
                new StoredFile(name, content.length(), Hashes.sha256(content)),
                Instant.now().plusSeconds(9_999));
        ledger.request("acme", command(id));
        ledger.status(started(id).completed(result, Instant.now()));
    }

    private static UUID id(HttpResponse<String> accepted) {
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(200);
        return UUID.fromString(json(accepted).path("report_id").asText());
    }

    private static JsonNode json(HttpResponse<String> response) {
        try {
            return Json.MAPPER.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
