package millrace.client.cli;

import static millrace.client.cli.TestService.json;
import static millrace.client.cli.TestService.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Terminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that ask the service something and show the answer. */
class QuestionsTest {
    private static final String DESCRIBE = "GET /v3/batch/tables/describe";
    private static final String HISTORY = "GET /v3/batch/report-history";

    @TempDir
    Path home;

    private TestService service;
    private Typed typed;

    @BeforeEach
    void start() throws IOException {
        service = TestService.start();
        typed = new Typed(home, service);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void anErrorHasWhatIsQuotedToSupport() {
        String credits = "GET /v3/batch/credits";
        service.on(
                credits,
                json(
                        403,
                        "{\"code\":\"account_suspended\",\"request_id\":\"req-1\",\"errors\":[\"The account is suspended.\"]}"));
        assertThat(typed.run("credits").err()).isEqualTo("""
                        millrace credits: The account is suspended.
                        millrace credits: (code account_suspended, request id req-1)
                        """);
        service.on(credits, TestService.bytes(500, "oops".getBytes(StandardCharsets.UTF_8), "X-Request-Id", "req-2"));
        assertThat(typed.run("credits").err())
                .isEqualTo("millrace credits: HTTP 500: oops\nmillrace credits: (request id req-2)\n");
    }

    /** Not in those of the request that was made of what was typed. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            start_date: "start_date" is not in the calendar | --from: "start_date" is not in the calendar
            end_date: must not be before start_date.        | --to: must not be before --from.
            countries: is missing; accepted: US, GB         | --countries: is missing; accepted: US, GB
            max_credits: must be a whole number             | --max-credits: must be a whole number
            response_format: must be csv, json or parquet   | --format: must be csv, json or parquet
            window_size: says where the report begins, as all_history does | --window: says where the report begins, as --all-history does
            tags.team: must have a value                    | --tag.team: must have a value
            limit: must be 1 or more                        | limit: must be 1 or more
            age_groups: "x" is none                         | age_groups: "x" is none
            body: "start_dat" is not a field; did you mean start_date? | body: "start_dat" is not a field; did you mean start_date?
            """)
    void aRefusalIsInTheWordsThatWereTyped(String sentence, String shown) throws IOException {
        service.on(
                "POST /v3/batch/demographics/request-validate",
                json(
                        200,
                        Json.object()
                                .put("is_valid", false)
                                .set("errors", Json.object().arrayNode().add(sentence))
                                .toString()));
        assertThat(typed.run("validate", "demographics").err()).isEqualTo("millrace validate: " + shown + "\n");
        // Of a request in a file the names are those in the file.
        Path file = Files.writeString(home.resolve("request.json"), "{}");
        assertThat(typed.run("validate", "demographics", "--request", file.toString())
                        .err())
                .isEqualTo("millrace validate: " + sentence + "\n");
    }

    @Test
    void aWarningIsInThemToo() {
        service.on(
                "POST /v3/batch/demographics/request-validate",
                json(200, "{\"is_valid\":true,\"warnings\":[\"end_date: latest is true\"]}"));
        assertThat(typed.run("validate", "demographics").out()).endsWith("warning: --to: latest is true\n");
    }

    @Test
    void aPriceThatHoldsIsPrintedWithWhatGetsIt() {
        service.on("POST /v3/batch/demographics/request-validate", json(200, """
                {"is_valid":true,"estimated_credits":104,"warnings":[],"quote":{"token":"-abc","max_credits":104,\
                "data_version":"20261121-061530","expires_at":"2026-11-21T08:30:30.000Z"}}"""));
        assertThat(typed.run("validate", "demographics").out()).isEqualTo("""
                valid; at most 104 credits
                the price holds until 2026-11-21 08:30:30 UTC, for the data 20261121-061530, with report run … --quote=-abc
                """);
    }

    @Test
    void aDayIsATimeToo() {
        service.on("POST /v3/batch/keys", json(201, "{\"key\":\"k\",\"id\":\"key_1\"}"));
        typed.run("keys", "create", "--expires", "2027-01-31");
        assertThat(service.requests("POST /v3/batch/keys").getFirst().text())
                .isEqualTo("{\"expires_at\":\"2027-01-31T00:00:00Z\"}");
        service.on("POST /v3/batch/keys", problem(400, "expires_at: must be a time in the future."));
        assertThat(typed.run("keys", "create", "--expires", "2020-01-31").err())
                .isEqualTo("millrace keys create: --expires: must be a time in the future.\n");
    }

    @Test
    void listsReportsPageByPage() {
        service.on(
                HISTORY,
                json(
                        200,
                        "{\"reports\":[" + report("a", "complete", "\"row_count\":1234,\"used_quota\":99")
                                + "],\"next_cursor\":\"c\"}"),
                json(
                        200,
                        "{\"reports\":[" + report("b", "processing", "\"progress\":0.999")
                                + "],\"next_cursor\":null}"));
        assertThat(typed.run("report", "list", "--all", "--status", "complete").out())
                .isEqualTo("""
                report  dataset   status           submitted (UTC)       rows  credits
                a       keywords  complete         2026-11-20 10:00:00  1,234       99
                b       keywords  processing 99 %  2026-11-20 10:00:00
                """);
        assertThat(service.requests(HISTORY))
                .extracting(r -> r.uri().getRawQuery())
                .containsExactly("status=complete&limit=100", "status=complete&limit=100&cursor=c");
    }

    @Test
    void listsReportsByWhatTheirRequestsSaid() {
        service.on(HISTORY, json(200, "{\"reports\":[]}"));
        typed.run(
                "report",
                "list",
                "--tag",
                "team=seo",
                "--tag",
                "client=A=B",
                "--name",
                "weekly",
                "--from",
                "2026-11-01",
                "--to",
                "2026-11-02");
        assertThat(service.requests(HISTORY).getFirst().uri().getRawQuery())
                .isEqualTo("name=weekly&from=2026-11-01&to=2026-11-02&tag=team%3Aseo&tag=client%3AA%3DB&limit=20");
        service.on(HISTORY, problem(400, "from: must be a day like 2026-11-02 or a time like 2026-11-02T08:15:30Z."));
        assertThat(typed.run("report", "list", "--from", "x").err())
                .startsWith("millrace report list: --from: must be a day");
    }

    @Test
    void addsAllPagesToOneListForPrograms() {
        service.on(
                HISTORY,
                json(200, "{\"reports\":[{\"report_id\":\"a\",\"later\":1}],\"next_cursor\":\"c\"}"),
                json(200, "{\"reports\":[{\"report_id\":\"b\"}]}"));
        assertThat(typed.run("--json", "report", "list", "--limit", "2").out().replaceAll("\\s", ""))
                .isEqualTo("{\"reports\":[{\"report_id\":\"a\",\"later\":1},{\"report_id\":\"b\"}]}");
    }

    @Test
    void tablesFitTheTerminalAndHaveColoursThere() {
        service.on(
                HISTORY,
                json(
                        200,
                        "{\"reports\":[" + report("845d6440-79d1-4125-964e-eaef0d6923e5", "internal_error", "\"x\":1")
                                + "]}"));
        typed.terminal(new Terminal(true, true, 72, true));
        assertThat(plain(typed.run("report", "list").out())).isEqualTo("""
                report                                dataset   status
                845d6440-79d1-4125-964e-eaef0d6923e5  keywords  internal_error
                """);
        typed.terminal(new Terminal(true, true, 80, true));
        String[] lines = typed.run("report", "list").out().split("\n", -1);
        assertThat(lines[1]).contains("\u001b[31minternal_error\u001b[0m", "  2026-11-20 10:0…");
        assertThat(plain(lines[0])).hasSizeLessThanOrEqualTo(80);
        assertThat(plain(lines[1])).hasSizeLessThanOrEqualTo(80);
        assertThat(typed.run("report", "list", "--no-color").out()).doesNotContain("\u001b");
        typed.terminal(Terminal.NONE);
        assertThat(typed.run("report", "list").out())
                .doesNotContain("\u001b")
                .contains("845d6440-79d1-4125-964e-eaef0d6923e5");
    }

    @Test
    void showsAReport() {
        service.on(
                "GET /v3/batch/request-status/a",
                json(
                        200,
                        report(
                                "a",
                                "internal_error",
                                "\"data_version\":\"20261121-061530\",\"tags\":{\"client\":\"ACME\",\"team\":\"seo\"},"
                                        + "\"estimated_credits\":5,\"error\":{\"code\":\"render_failed\",\"message\":\"It failed.\",\"retryable\":true}")));
        Typed.Result shown = typed.run("report", "show", "a");
        assertThat(shown.out()).isEqualTo("""
                report      a
                dataset     keywords
                data        20261121-061530
                tags        client=ACME, team=seo
                status      internal_error
                submitted   2026-11-20 10:00:00 UTC
                estimate    5 credits
                error       It failed. (render_failed)
                """);
        assertThat(shown.err()).isEqualTo("to start it again: millrace report retry a\n");
    }

    @Test
    void aReportThatWasCancelledIsNotOneThatFailed() {
        String cancelled = report(
                "a",
                "internal_error",
                "\"outcome\":\"cancelled\",\"error\":{\"code\":\"cancelled\",\"message\":\"cancelled on request\","
                        + "\"retryable\":true,\"advice\":\"Retry it if you want it after all.\"}");
        service.on(HISTORY, json(200, "{\"reports\":[" + cancelled + "]}"));
        service.on("GET /v3/batch/request-status/a", json(200, cancelled));
        assertThat(typed.run("report", "list", "--outcome", "cancelled").out())
                .contains("a       keywords  cancelled  ")
                .doesNotContain("internal_error");
        assertThat(service.requests(HISTORY).getFirst().uri().getRawQuery()).contains("outcome=cancelled");
        assertThat(typed.run("report", "show", "a").out())
                .contains("status      cancelled\n", "advice      Retry it if you want it after all.\n");
    }

    @Test
    void showsTheTimelineOfAReport() {
        service.on("GET /v3/batch/report-timeline/a", json(200, """
                {"report_id":"a","events":[
                 {"sequence":1,"status":"processing","phase":"queued","attempt":1,"progress":0,"occurred_at":"2026-11-20T10:00:00Z"},
                 {"sequence":2,"status":"complete","attempt":1,"occurred_at":"2026-11-20T10:02:05Z","since_previous_millis":125000}],
                 "entries":[{"kind":"settlement","amount":9,"remaining":91,"occurred_at":"2026-11-20T10:02:05Z"}]}"""));
        assertThat(typed.run("report", "show", "a", "--timeline").out().replaceAll(" +\n", "\n"))
                .isEqualTo("""
                time (UTC)           status          phase   attempt      after  error
                2026-11-20 10:00:00  processing 0 %  queued        1
                2026-11-20 10:02:05  complete                      1  2 min 5 s

                time (UTC)           entry       credits  remaining
                2026-11-20 10:02:05  settlement        9         91
                """);
    }

    @Test
    void cancelsAndRetries() {
        service.on("POST /v3/batch/cancel/a", json(200, "{\"report_id\":\"a\"}"))
                .on(
                        "POST /v3/batch/retry/a",
                        problem(409, "The report is complete; only a failed one can be retried."));
        assertThat(typed.run("report", "cancel", "a").out()).isEqualTo("a is cancelled\n");
        assertThat(service.requests("POST /v3/batch/cancel/a"))
                .singleElement()
                .satisfies(r -> assertThat(r.header("Content-type")).isEqualTo("application/json"));
        Typed.Result refused = typed.run("report", "retry", "a");
        assertThat(refused.code()).isEqualTo(3);
        assertThat(refused.err())
                .isEqualTo("millrace report retry: The report is complete; only a failed one can be retried.\n");
        assertThat(typed.run("report", "show", "../x?").code()).isEqualTo(3);
        assertThat(service.requests("GET /v3/batch/request-status/../x?"))
                .singleElement()
                .satisfies(r -> assertThat(r.uri().getRawPath()).endsWith("/..%2Fx%3F"));
    }

    @Test
    void erasesAReport() {
        service.on("DELETE /v3/batch/reports/a", json(204, ""))
                .on("DELETE /v3/batch/reports/b", problem(409, "The report is processing: cancel it first."));
        assertThat(typed.run("report", "erase", "a").out()).isEqualTo("a is erased\n");
        assertThat(typed.run("report", "erase", "a", "--json").out())
                .contains("\"report_id\" : \"a\"", "\"erased\" : true");
        Typed.Result refused = typed.run("report", "erase", "b");
        assertThat(refused.code()).isEqualTo(3);
        assertThat(refused.err()).isEqualTo("millrace report erase: The report is processing: cancel it first.\n");
    }

    @Test
    void showsDatasetsWithThePeriodsOfTheData() {
        service.on(DESCRIBE, json(200, """
                [{"table":"keywords","description":"What is searched.","table_granularity":{"monthly":{"start_date":"2020-01-01",\
                "end_date":"2030-01-01"}},"data":{"updated_at":"2026-11-20T10:00:00Z","row_count":12345,"entity_count":512,\
                "periods":{"monthly":{"first":"2026-08-01","last":"2026-10-01"}},"sample_entities":["boots","shoes"]},\
                "price":"1 credit per result","table_metrics":[{"name":"volume","unit":"searches","granularities":["monthly"],\
                "meaning":"How often"}],"table_filters":[{"name":"countries","type":"string","required":true}]},
                {"table":"empty","description":"Nothing yet.","table_granularity":{"daily":{"start_date":"2020-01-01","end_date":"2020-02-01"}}}]"""));
        assertThat(typed.run("datasets").out()).isEqualTo("""
                dataset   periods                              rows  entities  updated (UTC)        what
                keywords  monthly 2026-08-01 to 2026-10-01   12,345       512  2026-11-20 10:00:00  What is searched.
                empty     daily 2020-01-01 to 2020-02-01                                            Nothing yet.
                """.replace("  12,345", " 12,345")
                .replace("      rows", "     rows")
                .replace("02-01    ", "02-01   "));
        assertThat(typed.run("datasets", "keywords").out())
                .contains(
                        "for example: boots, shoes", "price: 1 credit per result", "volume", "How often", "countries");
        Typed.Result moved = typed.run("datasets", "--use", "keywords@1");
        assertThat(moved.code()).isEqualTo(2);
        assertThat(moved.err()).contains("millrace versions");
    }

    @Test
    void listsEntitiesOneOnEachLine() {
        service.on(
                "GET /v3/batch/tables/keywords/entities",
                json(200, "{\"entities\":[\"running shoes\",\"runner\"],\"more\":true}"),
                json(200, "{\"entities\":[],\"more\":false}"));
        Typed.Result listed = typed.run("entities", "keywords", "--prefix", "run & more");
        assertThat(listed.out()).isEqualTo("running shoes\nrunner\n");
        assertThat(listed.err()).startsWith("there are more");
        assertThat(service.requests("GET /v3/batch/tables/keywords/entities")
                        .getFirst()
                        .uri()
                        .getRawQuery())
                .isEqualTo("prefix=run%20%26%20more");
        assertThat(typed.run("entities", "keywords", "--prefix", "x").err()).isEqualTo("none begin like that\n");
    }

    @Test
    void showsWhereCreditsWent() {
        service.on("GET /v3/batch/credits/usage", json(200, """
                {"from":"2026-11-01","to":"2026-11-22","usage":[{"day":"2026-11-20","dataset":"demographics","credits":1283,\
                "reports":1}],"total":{"credits":1283,"reports":1}}""")).on("GET /v3/batch/credits/entries", json(200, """
                {"entries":[{"kind":"grant","amount":10000,"remaining":10000,"occurred_at":"2026-11-01T00:00:00Z"}]}"""));
        Typed.Result usage = typed.run("credits", "usage", "--from", "2026-11-01");
        assertThat(usage.out()).isEqualTo("""
                day         dataset       reports  credits
                2026-11-20  demographics        1    1,283
                """);
        assertThat(usage.err()).isEqualTo("in all 1,283 credits for 1 report, 2026-11-01 to 2026-11-22\n");
        assertThat(typed.run("credits", "entries", "--limit", "5").out()).contains("grant", "10,000");
    }

    @Test
    void showsAndMakesAndRevokesKeys() {
        service.on("GET /v3/batch/keys", json(200, """
                        {"keys":[{"id":"key_a","kind":"batch","label":"jobs","issued_at":"2026-11-01T00:00:00Z","current":true,\
                        "declared":false,"scopes":["read","request"],"last_used_at":"2026-11-20T08:15:30Z"},
                        {"id":"key_b","kind":"rest","issued_at":"2026-11-01T00:00:00Z","expires_at":"2026-11-02T00:00:00Z",\
                        "current":false,"declared":true}]}"""))
                .on("POST /v3/batch/keys", json(201, """
                        {"id":"key_c","key":"the-text","issued_at":"2026-11-20T08:15:30Z","scopes":["read"],\
                        "expires_at":"2027-01-31T00:00:00Z"}"""))
                .on(
                        "DELETE /v3/batch/keys/key_a",
                        json(200, "{\"id\":\"key_a\",\"revoked_at\":\"2026-11-20T08:15:30Z\"}"));
        assertThat(typed.run("keys").out()).isEqualTo("""
                key               state    label  opens          last used (UTC)      expires (UTC)        made (UTC)
                key_a (this one)  active   jobs   read, request  2026-11-20 08:15:30                       2026-11-01 00:00:00
                key_b             expired         capabilities                        2026-11-02 00:00:00  2026-11-01 00:00:00
                """);
        Typed.Result made =
                typed.run("keys", "create", "--label", "jobs", "--scopes", "read", "--expires", "2027-01-31T00:00:00Z");
        assertThat(made.out()).isEqualTo("the-text\n");
        assertThat(made.err())
                .isEqualTo("key_c opens read until 2027-01-31 00:00:00 UTC; the key is shown this once\n");
        assertThat(service.requests("POST /v3/batch/keys").getFirst().text())
                .isEqualTo("{\"label\":\"jobs\",\"scopes\":[\"read\"],\"expires_at\":\"2027-01-31T00:00:00Z\"}");
        typed.run("keys", "create");
        assertThat(service.requests("POST /v3/batch/keys").getLast().text()).isEqualTo("{}");
        assertThat(typed.run("keys", "revoke", "key_a").out()).isEqualTo("key_a is revoked\n");
    }

    @Test
    void tellsOperatorsWhatIsNotReady() throws IOException {
        service.on(
                "GET /health/readiness",
                json(200, "{\"status\":\"UP\",\"kafka\":true,\"caught_up\":true,\"disk\":true}"));
        assertThat(new Typed(home).run("status", "--url", service.url()).code()).isZero();
        try (var management = TestService.start()) {
            management
                    .on(
                            "GET /health/ready",
                            json(
                                    503,
                                    "{\"status\":\"DOWN\",\"services\":{\"gateway\":{\"kafka\":true},"
                                            + "\"processor\":{\"kafka\":true,\"ledger\":false,\"workers\":false}}}"))
                    .on("GET /metrics", TestService.bytes(200, """
                    # HELP millrace_reports_open Reports of all accounts
                    # TYPE millrace_reports_open gauge
                    millrace_reports_open 3.0
                    millrace_consumer_lag_records{reader="ledger",topic="a b"} 1200.0
                    millrace_consumer_lag_records{reader="ledger",topic="c"} 34.0
                    millrace_consumer_lag_records{reader="read-model"} 0.0
                    millrace_webhook_waiting{breaker="open"} 2.0
                    millrace_webhook_waiting{breaker="closed"} 5.0
                    millrace_webhook_oldest_seconds{breaker="open"} 90.0
                    millrace_http_requests_seconds_bucket{le="+Inf"} 7
                    """.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
            Typed.Result down = new Typed(home).run("status", "--url", service.url(), "--management", management.url());
            assertThat(down.code()).isEqualTo(5);
            assertThat(down.out()
                            .replaceAll(" +\n", "\n")
                            .replaceAll("http://\\S+", "http://…")
                            .replaceAll(" +", " "))
                    .isEqualTo("""
                    service ready address missing
                    API yes http://…
                    gateway yes http://…
                    processor no http://… ledger, workers

                    figure value
                    open reports 3
                    webhooks waiting 7
                    oldest webhook waits 1 min 30 s
                    lag of ledger 1,234 records
                    lag of read-model 0 records
                    """);
            assertThat(new Typed(home)
                            .run("status", "--json", "--url", service.url(), "--management", management.url())
                            .out())
                    .contains("\"open_reports\" : 3", "\"ledger\" : 1234", "\"ready\" : false");
        }
        service.close();
        Typed.Result gone = new Typed(home).run("status", "--url", service.url());
        assertThat(gone.code()).isEqualTo(5);
        assertThat(gone.out()).contains("API", "no answer: Connection refused");
    }

    private static String report(String id, String status, String more) {
        return "{\"report_id\":\"" + id + "\",\"dataset\":\"keywords\",\"status\":\"" + status
                + "\",\"submitted_at\":\"2026-11-20T10:00:00.000Z\"," + more + "}";
    }

    private static String plain(String line) {
        return line.replaceAll("\u001b\\[[0-9;]*m", "");
    }
}
