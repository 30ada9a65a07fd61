package millrace.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import millrace.contracts.Json;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.operation.ProcessState;
import millrace.contracts.operation.VersionSwitch;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.requests.DatasetVersion;
import millrace.contracts.topics.Topics;
import millrace.gateway.FakeProcessor;
import millrace.gateway.TestGateway;
import millrace.testing.TestKafka;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an operator sees and does on the admin port, with a processor that the test plays. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperationIT {
    private static final StoredFile FILE = new StoredFile("part", 1, "0".repeat(64));

    @TempDir
    static Path folder;

    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private final List<UUID> reports = List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
    private TestKafka kafka;
    private FakeProcessor processor;
    private TestGateway gateway;

    @BeforeAll
    void start() throws IOException {
        kafka = TestKafka.withTopics(3);
        gateway = TestGateway.startWithAdmin(kafka.bootstrapServers(), folder);
        processor = new FakeProcessor(kafka.bootstrapServers());
        processor.status(rendering("acme", reports.get(0), "demographics", 30));
        processor.status(rendering("other", reports.get(1), "keywords", 20));
        processor.status(rendering("acme", reports.get(2), "keywords", 10));
        await().until(() -> ok("/reports").path("open").asInt() == 3);
        // The activity store is being built at first.
        await().until(() -> get("/usage").statusCode() == 200);
    }

    @AfterAll
    void stop() {
        gateway.close();
        processor.close();
        kafka.close();
    }

    @Test
    void listsOpenReportsOfAllAccountsTheOldestFirst() {
        JsonNode all = ok("/reports");
        assertThat(ids(all)).isEqualTo(texts(reports));
        assertThat(all.path("next_cursor").isNull()).isTrue();
        JsonNode first = all.path("reports").path(0);
        assertThat(first.path("account_id").asText()).isEqualTo("acme");
        assertThat(first.path("decided").asBoolean()).isTrue();
        assertThat(first.path("phase").asText()).isEqualTo("rendering");
        assertThat(first.path("progress").asDouble()).isEqualTo(0.5);
        assertThat(ids(ok("/reports?account=acme"))).isEqualTo(texts(List.of(reports.get(0), reports.get(2))));
        assertThat(ids(ok("/reports?dataset=keywords"))).isEqualTo(texts(List.of(reports.get(1), reports.get(2))));

        JsonNode page = ok("/reports?limit=2");
        assertThat(ids(page)).isEqualTo(texts(reports.subList(0, 2)));
        JsonNode rest = ok("/reports?limit=2&cursor=" + page.path("next_cursor").asText());
        assertThat(ids(rest)).isEqualTo(texts(reports.subList(2, 3)));
        assertThat(rest.path("next_cursor").isNull()).isTrue();
    }

    @Test
    void findsReportsThatEndedWithTheirCause() {
        var cause = "java.io.IOException: refused";
        var unreadable = new ReportStatus.Failure(ErrorCode.DATASET_UNAVAILABLE, "It cannot be read.", true, cause);
        var cancelled = new ReportStatus.Failure(ErrorCode.CANCELLED, "cancelled on request", true);
        List<UUID> ended = List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
        processor.status(rendering("acme", ended.get(0), "demographics", 90).failed(1, unreadable, now));
        processor.status(rendering("other", ended.get(1), "keywords", 80).failed(1, unreadable, now));
        processor.status(rendering("acme", ended.get(2), "keywords", 70).failed(1, cancelled, now));
        processor.status(rendering("acme", ended.get(3), "demographics", 60).failed(1, unreadable, now));
        await().until(() -> ok("/reports?state=failed").path("reports").size() == 3);
        JsonNode failed = ok("/reports?state=failed");
        assertThat(failed.path("whole").asBoolean()).isTrue();
        assertThat(ids(failed)).isEqualTo(texts(List.of(ended.get(3), ended.get(1), ended.get(0))));
        assertThat(failed.path("reports").path(0).path("outcome").asText()).isEqualTo("failed");
        assertThat(failed.path("reports").path(0).path("error").path("cause").asText())
                .isEqualTo(cause);
        await().until(() -> ids(ok("/reports?state=cancelled")).equals(texts(List.of(ended.get(2)))));

        JsonNode page = ok("/reports?state=failed&limit=2");
        assertThat(ids(page)).isEqualTo(texts(List.of(ended.get(3), ended.get(1))));
        JsonNode rest = ok("/reports?state=failed&limit=2&cursor="
                + page.path("next_cursor").asText());
        assertThat(ids(rest)).isEqualTo(texts(List.of(ended.get(0))));
        assertThat(rest.path("next_cursor").isNull()).isTrue();

        assertThat(ids(ok("/reports?state=failed&account=other"))).isEqualTo(texts(List.of(ended.get(1))));
        assertThat(ids(ok("/reports?state=failed&dataset=keywords"))).isEqualTo(texts(List.of(ended.get(1))));
        assertThat(ids(ok("/reports?state=failed&from=" + now.minusSeconds(85) + "&to=" + now.minusSeconds(60))))
                .isEqualTo(texts(List.of(ended.get(1))));
        assertThat(ok("/reports/" + ended.get(0)).path("error").path("cause").asText())
                .isEqualTo(cause);

        String first = ended.get(0).toString();
        assertThat(ids(ok("/reports?state=any&id_prefix=" + first.substring(0, 8))))
                .isEqualTo(texts(List.of(ended.get(0))));
        assertThat(ids(ok("/reports?state=cancelled&id_prefix=" + first))).isEmpty();
        assertThat(ids(ok("/reports?state=any&account=other&id_prefix=" + first)))
                .isEmpty();
        assertThat(ids(ok("/reports?id_prefix=" + reports.get(1).toString().toUpperCase(Locale.ROOT))))
                .as("open ones")
                .isEqualTo(texts(List.of(reports.get(1))));
        assertThat(ids(ok("/reports?state=any")))
                .as("all of them, the newest first")
                .containsSubsequence(texts(List.of(reports.get(2), ended.get(3), ended.get(0))));
    }

    @Test
    void tellsWhatWorkersHaveSaidOfTheSlicesOfAReport() {
        UUID report = reports.get(1);
        answer("other", new AccountCommand.SliceDone(new SliceRef(report, 1, 0, 1), FILE, new ResultCounts(40, 40, 0)));
        answer("other", new AccountCommand.SliceRunning(new SliceRef(report, 1, 1, 2), 12));
        answer("acme", new AccountCommand.SliceRunning(new SliceRef(reports.get(0), 1, 0, 1), 5));
        JsonNode told = ok("/reports/" + report + "/slices");
        assertThat(told.path("report").path("dataset").asText()).isEqualTo("keywords");
        JsonNode slices = told.path("slices");
        assertThat(slices.path("whole").asBoolean()).isTrue();
        assertThat(slices.path("running").asInt()).isEqualTo(1);
        assertThat(slices.path("done").asInt()).isEqualTo(1);
        assertThat(slices.path("rows").asInt()).isEqualTo(40);
        assertThat(slices.path("list").findValuesAsText("slice")).containsExactly("1", "0");
        assertThat(slices.path("list").path(0).path("state").asText()).isEqualTo("running");
        assertThat(slices.path("list").path(0).path("dispatch").asInt()).isEqualTo(2);
        assertThat(ok("/reports/" + report + "/slices?limit=1").path("slices").path("list"))
                .hasSize(1);
    }

    @Test
    void tellsWhatBecameOfTheWebhooksOfAReport() {
        UUID report = reports.get(0);
        Deliver delivered = deliver(report, 1);
        Deliver waiting = deliver(report, 2);
        deliver(reports.get(2), 1);
        processor.put(
                Topics.WEBHOOK_ATTEMPTS,
                delivered.endpoint(),
                new WebhookAttempt(
                        delivered.eventId(),
                        "acme",
                        delivered.endpoint(),
                        delivered.url(),
                        report,
                        1,
                        1,
                        WebhookAttempt.Outcome.DELIVERED,
                        204,
                        null,
                        null,
                        now,
                        12,
                        Map.of("headers", 12L),
                        null,
                        null,
                        WebhookEndpoint.id(delivered.endpoint()),
                        null,
                        null));
        await().untilAsserted(() -> {
            JsonNode told = ok("/reports/" + report + "/deliveries").path("deliveries");
            assertThat(told.findValuesAsText("id")).containsExactly(waiting.eventId(), delivered.eventId());
            assertThat(told.findValuesAsText("state")).containsExactly("waiting", "delivered");
        });
        JsonNode told = ok("/reports/" + report + "/deliveries").path("deliveries");
        assertThat(told.path(1).path("last_http_status").asInt()).isEqualTo(204);
        assertThat(told.path(1).path("url").asText()).isEqualTo("https://hooks.example.com/a");
        assertThat(ok("/reports/" + reports.get(1) + "/deliveries").path("deliveries"))
                .isEmpty();
    }

    private Deliver deliver(UUID report, int sequence) {
        var event = new Deliver(
                report + "." + sequence,
                "acme",
                "https://hooks.example.com/a?token=secret",
                report,
                sequence,
                now.minusSeconds(60 - sequence),
                "{}",
                "trace");
        processor.put(Topics.DELIVERIES, event.endpoint(), event);
        return event;
    }

    @Test
    void addsUpWhatAllAccountsUsedInAMonth() {
        YearMonth month = YearMonth.from(now.atOffset(ZoneOffset.UTC));
        assertThat(ok("/usage?month=2026-01").path("usage")).isEmpty();
        settle("acme", 1, reports.get(0), 30);
        settle("other", 1, reports.get(1), 12);
        // The order in which topics are read is not known: credits may count for no dataset at first.
        await().until(() ->
                ok("/usage").path("usage").findValuesAsText("dataset").equals(List.of("demographics", "keywords")));
        JsonNode page = ok("/usage?limit=1&month=" + month);
        assertThat(page.path("usage").path(0))
                .isEqualTo(Json.MAPPER.valueToTree(Map.of(
                        "account_id", "acme", "name", "acme", "dataset", "demographics", "credits", 30, "reports", 1)));
        JsonNode rest = ok("/usage?limit=1&cursor=" + page.path("next_cursor").asText());
        assertThat(rest.path("usage").findValuesAsText("account_id")).containsExactly("other");
        assertThat(rest.path("next_cursor").isNull()).isTrue();

        HttpResponse<String> file = get("/usage.csv?from=" + month.minusMonths(1) + "&to=" + month);
        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.headers().firstValue("Content-Type"))
                .hasValueSatisfying(t -> assertThat(t).startsWith("text/csv"));
        assertThat(file.headers().firstValue("Content-Disposition"))
                .hasValue("attachment; filename=\"usage-" + month.minusMonths(1) + "-to-" + month + ".csv\"");
        assertThat(file.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(file.body())
                .isEqualTo("month,account_id,name,dataset,credits,reports\r\n" + month
                        + ",acme,acme,demographics,30,1\r\n" + month + ",other,other,keywords,12,1\r\n");
    }

    @Test
    void switchesToAnotherVersionOnceAProcessorHasDoneIt() throws Exception {
        published("v2");
        await().until(() -> dataset("keywords").path("version").asText().equals("v2"));
        JsonNode before = dataset("keywords");
        assertThat(before.path("switchable").asBoolean()).isTrue();
        assertThat(before.path("versions").findValuesAsText("version")).containsExactly("v2", "v1");
        assertThat(before.path("versions").findValuesAsText("current")).containsExactly("true", "false");
        assertThat(dataset("demographics").has("version")).isFalse();

        CompletableFuture<HttpResponse<String>> answer = CompletableFuture.supplyAsync(() -> put(
                "/datasets/keywords/version", "{\"version\":\"v1\",\"from\":\"v2\",\"reason\":\"a wrong import\"}"));
        await().until(() -> !processor.values(Topics.VERSION_SWITCHES).isEmpty());
        VersionSwitch wanted = Topics.VERSION_SWITCHES.decode(
                processor.values(Topics.VERSION_SWITCHES).getFirst());
        assertThat(wanted.dataset() + " " + wanted.from() + " " + wanted.to() + " " + wanted.actor() + " "
                        + wanted.reason())
                .isEqualTo("keywords v2 v1 ops a wrong import");
        assertThat(answer).isNotDone();
        published("v1");
        assertThat(answer.get().statusCode()).as(answer.get().body()).isEqualTo(200);
        assertThat(json(answer.get()).path("version").asText()).isEqualTo("v1");
    }

    @Test
    void tellsOfEachProcessAndWhatItMisses() {
        assertThat(ok("/services").path("missing").toString())
                .contains("No processor runs: start one.", "No notifier runs: start one.");
        state("p-1", "processor", Map.of("kafka", true, "disk", false));
        await().until(() -> services("processor").size() == 1);
        JsonNode silent = services("processor").path(0);
        assertThat(silent.path("state").asText()).isEqualTo("not_ready");
        assertThat(silent.path("missing").toString()).isEqualTo("[\"disk\"]");
        assertThat(silent.path("answering").asBoolean()).isFalse();
        state("p-1", "processor", Map.of("kafka", true, "disk", true));
        await().until(() -> services("processor").path(0).path("state").asText().equals("ready"));
        JsonNode own = services("gateway").path(0);
        assertThat(own.path("answering").asBoolean()).isTrue();
        assertThat(own.path("state").asText()).isEqualTo("ready");
    }

    @Test
    void findsAccountsByAPartOfIdOrName() {
        assertThat(ok("/accounts").path("accounts").size()).isGreaterThan(3);
        assertThat(ok("/accounts").has("next_cursor")).isFalse();
        JsonNode found = ok("/accounts?search=AC&limit=1");
        assertThat(found.path("accounts").findValuesAsText("name")).containsExactly("acme");
        JsonNode next = ok("/accounts?search=ac&limit=1&cursor="
                + found.path("next_cursor").asText());
        assertThat(next.path("accounts").findValuesAsText("name")).containsExactly("paced");
        assertThat(next.has("next_cursor")).isFalse();
    }

    /** Columns: method, path, body, code, and what a sentence contains. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET | /accounts?limit=0                  |    | 400 | limit: must be a whole number from 1 to 1000.
            GET | /accounts?limt=1                   |    | 400 | limt: is not a parameter here; did you mean limit
            GET | /accounts?cursor=a%20b             |    | 400 | cursor: must be the next_cursor
            GET | /reports?limit=201                 |    | 400 | limit: must be a whole number from 1 to 200.
            GET | /reports?cursor=x                  |    | 400 | cursor: must be the next_cursor
            GET | /reports?status=open               |    | 400 | status: is not a parameter here
            GET | /reports?state=ended               |    | 400 | state: must be open, completed, cancelled, failed or any.
            GET | /reports?id_prefix=845d             |    | 400 | id_prefix: must be the first 8 to 36 characters
            GET | /reports?from=yesterday            |    | 400 | from: must be a day like 2026-11-02
            GET | /reports/x                         |    | 404 | There is no report x.
            GET | /reports/x/slices                  |    | 404 | There is no report x.
            GET | /reports/x/deliveries              |    | 404 | There is no report x.
            GET | /reports/00000000-0000-0000-0000-000000000000/deliveries?limit=1 | | 400 | limit: is not a parameter here
            GET | /reports/00000000-0000-0000-0000-000000000000/deliveries | | 404 | There is no report
            GET | /reports/00000000-0000-0000-0000-000000000000/slices | | 404 | There is no report
            GET | /usage?month=2026-13               |    | 400 | month: must be a month like 2026-11.
            GET | /usage?cursor=%20                  |    | 400 | cursor: must be the next_cursor
            GET | /usage.csv?from=2026-03&to=2026-02 |    | 400 | to: must not be before from.
            GET | /usage.csv?from=2024-03&to=2026-02 |    | 400 | from: must be at most 14 months
            PUT | /datasets/words/version            | {} | 404 | There is no dataset words; there are
            PUT | /datasets/demographics/version     | {} | 400 | version: is required, the name of a version.
            PUT | /datasets/demographics/version     | {"version":"../v1","from":"v2"} | 400 | version: must be the name
            PUT | /datasets/demographics/version     | {"version":"v1","from":"v2"}    | 409 | No processor has told of data of demographics
            PUT | /datasets                          | {} | 405 | accepts GET
            """)
    void saysWhatIsWrong(String method, String path, @Nullable String body, int code, String sentence) {
        HttpResponse<String> answer = method.equals("PUT") ? put(path, String.valueOf(body)) : get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
        assertThat(answer.body()).contains(sentence);
    }

    /** The console is for anybody who comes to the port; what it shows is not. */
    @Test
    void servesTheConsoleOfOperators() {
        String address = gateway.adminAddress().toString();
        HttpResponse<String> page = gateway.send("GET", address + "/console", null, null, Map.of());
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("data-key-header=\"admin-key\"", "/console/operator/app.js");
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).startsWith("default-src 'none'; script-src 'self';"));
        assertThat(page.headers().allValues("Cache-Control")).containsExactly("no-cache");
        String tag = page.headers().firstValue("ETag").orElseThrow();
        assertThat(gateway.send("GET", address + "/console", null, null, Map.of("If-None-Match", tag))
                        .statusCode())
                .isEqualTo(304);
        assertThat(gateway.send("GET", address + "/console/operator/app.js", null, null, Map.of())
                        .statusCode())
                .isEqualTo(200);
        assertThat(gateway.send("GET", address + "/", null, null, Map.of())
                        .headers()
                        .firstValue("Location"))
                .hasValue("/console");
        for (String path : List.of("/console/pages/keys.js", "/console/app.js", "/console/x")) {
            assertThat(gateway.send("GET", address + path, null, null, Map.of()).statusCode())
                    .as(path)
                    .isEqualTo(404);
        }
        assertThat(gateway.get("/console/operator/app.js").statusCode()).isEqualTo(404);
        assertThat(gateway.send("GET", address + "/admin/v1/services", null, null, Map.of())
                        .statusCode())
                .isEqualTo(401);
        assertThat(gateway.send("POST", address + "/console", null, null, Map.of())
                        .statusCode())
                .isEqualTo(401);
    }

    private ReportStatus rendering(String account, UUID id, String dataset, int secondsAgo) {
        return new ReportStatus(
                account,
                id,
                dataset,
                Status.PROCESSING,
                ApiDialect.V3,
                1,
                1,
                now.minusSeconds(secondsAgo),
                now,
                100,
                new ReportStatus.Progress(ReportPhase.RENDERING, 0.5),
                null,
                null,
                new ReportStatus.Receipt(100, 0, 0, "1 credit per result", List.of()));
    }

    private void answer(String account, AccountCommand command) {
        processor.put(Topics.ACCOUNT_COMMANDS, account, command);
    }

    private void settle(String account, long sequence, UUID report, long credits) {
        processor.put(
                Topics.CREDIT_LEDGER,
                account,
                new LedgerEntry(
                        report + ".1.settlement",
                        account,
                        sequence,
                        LedgerEntry.Kind.SETTLEMENT,
                        report,
                        credits,
                        1000,
                        0,
                        credits,
                        1000 - credits,
                        now));
    }

    private void published(String version) {
        processor.put(
                Topics.DATASET_EXAMPLES,
                "keywords",
                new DatasetExample(
                        "keywords",
                        version,
                        null,
                        null,
                        List.of(new DatasetVersion("v1", now), new DatasetVersion("v2", null)),
                        null,
                        null,
                        null));
    }

    private void state(String instance, String service, Map<String, Boolean> checks) {
        var state = new ProcessState(
                instance,
                !checks.containsValue(false),
                new TreeMap<>(Map.of(service, new TreeMap<>(checks))),
                now,
                Instant.now(),
                null);
        processor.put(Topics.PROCESS_STATES, state.key(), state);
    }

    private JsonNode services(String service) {
        var found = Json.MAPPER.createArrayNode();
        ok("/services").path("services").forEach(s -> {
            if (s.path("service").asText().equals(service)) {
                found.add(s);
            }
        });
        return found;
    }

    private JsonNode dataset(String name) {
        for (JsonNode dataset : ok("/datasets").path("datasets")) {
            if (dataset.path("dataset").asText().equals(name)) {
                return dataset;
            }
        }
        throw new AssertionError(name);
    }

    private static List<String> ids(JsonNode page) {
        return page.path("reports").findValuesAsText("report_id");
    }

    private static List<String> texts(List<UUID> ids) {
        return ids.stream().map(UUID::toString).toList();
    }

    private JsonNode ok(String path) {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer);
    }

    private HttpResponse<String> get(String path) {
        return gateway.send(
                "GET",
                gateway.adminAddress() + "/admin/v1" + path,
                null,
                null,
                Map.of("admin-key", TestGateway.ADMIN_KEY));
    }

    private HttpResponse<String> put(String path, String body) {
        return gateway.send(
                "PUT",
                gateway.adminAddress() + "/admin/v1" + path,
                null,
                body.getBytes(StandardCharsets.UTF_8),
                Map.of("admin-key", TestGateway.ADMIN_KEY));
    }

    private static JsonNode json(HttpResponse<String> answer) {
        try {
            return Json.MAPPER.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
