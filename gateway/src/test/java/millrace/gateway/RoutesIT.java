package millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import millrace.contracts.Json;
import millrace.contracts.accounts.VersionPrice;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.topics.Topics;
import millrace.files.disk.DiskReportStore;
import millrace.files.entities.EntityDictionary;
import millrace.gateway.api.datasets.TestDictionaries;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoutesIT {
    private static final String REPORT = "/v3/batch/demographics/request-report";
    private static final String VALIDATE = "/v3/batch/demographics/request-validate";
    private static final String STATUS = "/v3/batch/request-status/";
    private static final String CRLF = "\r\n";
    private static final String FORM = "multipart/form-data; boundary=x";

    @TempDir
    static Path reports;

    private TestKafka kafka;
    private TestGateway gateway;
    private FakeProcessor ledger;

    @BeforeAll
    void start() {
        kafka = TestKafka.withTopics(3);
        gateway = TestGateway.start(kafka.bootstrapServers(), reports);
        ledger = new FakeProcessor(kafka.bootstrapServers());
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
        balance("acme", 100_000);
        balance("other", 100_000);
        balance("slow", 100_000);
        balance("paced", 100_000);
    }

    @Test
    void acceptsAReportDurablyAndKnowsItAtOnce() {
        HttpResponse<String> accepted = gateway.post(REPORT, TestGateway.REQUEST);
        assertThat(accepted.statusCode()).isEqualTo(200);
        assertThat(body(accepted).size()).isEqualTo(2);
        assertThat(body(accepted).path("status").asText()).isEqualTo("processing");
        String id = body(accepted).path("report_id").asText();
        assertThat(accepted.headers().firstValue("Location")).contains(STATUS + id);

        HttpResponse<String> status = gateway.get(STATUS + id);
        assertThat(status.statusCode()).isEqualTo(200);
        assertThat(status.headers().firstValue("Retry-After")).isPresent();
        assertThat(body(status).path("phase").asText()).isEqualTo("queued");
        assertThat(body(status).path("estimated_credits").asLong()).isEqualTo(192);
        assertThat(ledger.commands())
                .anySatisfy(c -> assertThat(c).isInstanceOfSatisfying(RequestReport.class, r -> assertThat(
                                r.reportId().toString())
                        .isEqualTo(id)));
    }

    @Test
    void aDiskThatIsNearlyFullTakesNoReports() {
        UUID accepted = submit(TestGateway.KEY);
        gateway.free(10);
        try {
            await().until(() -> !gateway.ready());
            HttpResponse<String> refused = gateway.post(REPORT, TestGateway.REQUEST);
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).contains("30");
            assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(body(refused).path("errors").path(0).asText())
                    .isEqualTo(
                            "There is too little room on a disk of this gateway to accept reports; nothing was accepted.");
            assertThat(gateway.get("/health/readiness", null).body()).contains("\"disk\":false");
            assertThat(gateway.get(STATUS + accepted).statusCode()).isEqualTo(200);
            assertThat(gateway.post(VALIDATE, TestGateway.REQUEST).statusCode()).isEqualTo(200);
        } finally {
            gateway.free(Long.MAX_VALUE);
        }
        await().until(gateway::ready);
        submit(TestGateway.KEY);
    }

    private static final ReportStatus.Failure CANCELLED =
            new ReportStatus.Failure(ErrorCode.CANCELLED, "cancelled on request", true);

    @Test
    void followsWhatTheLedgerSays() {
        UUID id = submit(TestGateway.KEY);
        ledger.status(FakeProcessor.rendering("acme", id, 1));
        JsonNode status = body(gateway.get(STATUS + id + "?min_sequence=1"));
        assertThat(status.path("progress").asDouble()).isEqualTo(0.5);
        assertThat(status.path("receipt").path("reserved").asLong()).isEqualTo(8);
        ledger.status(FakeProcessor.failed("acme", id, 1, 2, ErrorCode.RENDER_FAILED));
        status = body(gateway.get(STATUS + id + "?min_sequence=2"));
        assertThat(status.path("status").asText()).isEqualTo("internal_error");
        assertThat(status.path("error").path("code").asText()).isEqualTo("render_failed");
        HttpResponse<String> beyond = gateway.get(STATUS + id + "?min_sequence=3");
        assertThat(beyond.statusCode()).isEqualTo(400);
        assertThat(body(beyond).path("errors").get(0).asText())
                .isEqualTo("min_sequence: the report has ended with change 2; there is no change 3.");
    }

    @Test
    void answersARequestThatWaitsWhenTheReportEnds() {
        UUID id = submit(TestGateway.KEY);
        ledger.status(FakeProcessor.rendering("acme", id, 1));
        gateway.get(STATUS + id + "?min_sequence=1");
        CompletableFuture<HttpResponse<String>> waiting =
                CompletableFuture.supplyAsync(() -> gateway.get(STATUS + id + "?wait=60"));
        assertThat(body(gateway.get(STATUS + id + "?wait=1")).path("status").asText())
                .as("the time is over")
                .isEqualTo("processing");
        assertThat(gateway.send(
                                "GET",
                                STATUS + id,
                                TestGateway.KEY,
                                new byte[0],
                                Map.of("Prefer", "respond-async, wait=1"))
                        .headers()
                        .firstValue("Preference-Applied"))
                .hasValue("wait=1");
        assertThat(waiting).isNotDone();
        ledger.status(FakeProcessor.failed("acme", id, 1, 2, ErrorCode.CANCELLED));
        assertThat(body(waiting.orTimeout(30, TimeUnit.SECONDS).join())
                        .path("sequence")
                        .asInt())
                .isEqualTo(2);
        assertThat(body(gateway.get(STATUS + id + "?wait=60")).path("status").asText())
                .as("it has ended")
                .isEqualTo("internal_error");
    }

    @Test
    void waitsForTheChangeOfAReportThatAnotherGatewayRetries() {
        UUID id = submit(TestGateway.KEY);
        ledger.status(FakeProcessor.failed("acme", id, 1, 2, ErrorCode.RENDER_FAILED));
        gateway.get(STATUS + id + "?min_sequence=2");
        ledger.put(Topics.ACCOUNT_COMMANDS, "acme", new AccountCommand.RetryReport(id, 2));
        assertThat(gateway.get(STATUS + id + "?min_sequence=3").statusCode()).isEqualTo(503);
    }

    /** One that has not read the retry yet; here something before it is not committed. */
    @Test
    void whatAnotherGatewayRetriesIsProcessingHereToo() {
        UUID id = submit(TestGateway.KEY);
        ledger.status(FakeProcessor.failed("acme", id, 1, 2, ErrorCode.RENDER_FAILED));
        gateway.get(STATUS + id + "?min_sequence=2");
        var other = new AccountCommand.CancelReport(UUID.randomUUID());
        try (var open = ledger.open(Topics.ACCOUNT_COMMANDS, "acme", other)) {
            ledger.put(Topics.ACCOUNT_COMMANDS, "acme", new AccountCommand.RetryReport(id, 2));
            assertThat(gateway.get(STATUS + id).statusCode()).isEqualTo(503);
            open.commitTransaction();
        }
        assertThat(gateway.get("/v3/batch/report-history?status=internal_error&limit=100")
                        .body())
                .doesNotContain(id.toString());
        assertThat(body(gateway.get(STATUS + id)).path("status").asText()).isEqualTo("processing");
    }

    @Test
    void showsAReportToItsAccountOnly() {
        UUID id = submit(TestGateway.KEY);
        for (String path : List.of(STATUS, "/v3/batch/request-query/")) {
            assertThat(gateway.get(path + id, TestGateway.OTHER_KEY).statusCode())
                    .isEqualTo(404);
            assertThat(gateway.get(path + id).statusCode()).isEqualTo(200);
        }
        for (String path : List.of("/v3/batch/retry/", "/v3/batch/cancel/")) {
            assertThat(gateway.post(path + id, TestGateway.OTHER_KEY, "").statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void speaksTheDialectOfTheKey() {
        HttpResponse<String> accepted = gateway.post(REPORT, TestGateway.ORIGINAL_KEY, TestGateway.REQUEST);
        assertThat(body(accepted).path("status").asText()).isEqualTo("pending");
    }

    @Test
    void saysThatWebhooksCouldNotBeSigned() {
        String key = TestGateway.SECRETLESS_KEY;
        String told = TestGateway.REQUEST.replace(
                "\"granularity\"", "\"webhook_url\":\"https://hooks.example.com/\",\"granularity\"");
        HttpResponse<String> refused = gateway.post(REPORT, key, told);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(body(refused).path("errors").get(0).asText())
                .startsWith("webhook_url: the account has no webhook secret");
        JsonNode validated = body(gateway.post(VALIDATE, key, told));
        assertThat(validated.path("is_valid").asBoolean()).isFalse();
        assertThat(validated.path("errors")).isEqualTo(body(refused).path("errors"));
        assertThat(body(gateway.post(VALIDATE, key, TestGateway.REQUEST))
                        .path("is_valid")
                        .asBoolean())
                .isTrue();
        assertThat(body(gateway.post(VALIDATE, told)).path("is_valid").asBoolean())
                .isTrue();
    }

    @Test
    void validatesForFree() {
        assertThat(gateway.post(VALIDATE, TestGateway.REQUEST).body())
                .isEqualTo(
                        "{\"estimated_credits\":192,\"is_valid\":true,\"warnings\":[\"Which domains are in the data is"
                                + " not known at the moment; the estimate counts all of them.\"]}");
        JsonNode invalid = body(gateway.post(VALIDATE, TestGateway.REQUEST.replace("monthly", "hourly")));
        assertThat(invalid.path("is_valid").asBoolean()).isFalse();
        assertThat(invalid.path("errors").get(0).asText()).startsWith("granularity");
        assertThat(invalid.has("estimated_credits")).isFalse();
    }

    /** Clients differ in what they say of the part: curl, generators of clients, browsers. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "name=\"request\"; filename=\"r.json\"|Content-Type: application/json",
                "name=\"request\"; filename=\"r.json\"|Content-Type: application/octet-stream",
                "name=\"request\"; filename=\"r.json\"",
                "name=\"request\"|Content-Type: application/json",
                "name=\"request\"|Content-Type: text/plain; charset=utf-8",
                "name=request|Content-Transfer-Encoding: 8bit",
                "name=\"request\"",
            })
    void takesAFormWithOnePart(String head) {
        HttpResponse<String> answer = post(form(part(head, TestGateway.REQUEST)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            name=other                                          | The part other is not a part of the form; accepted: request.
            name=request; filename=a\\Content-Type: image/png    | The part request has the Content-Type image/png; accepted: application/json
            """)
    void refusesOtherParts(String head, String sentence) {
        HttpResponse<String> answer = post(form(part(head.replace("\\", "|"), TestGateway.REQUEST)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains(sentence);
    }

    @Test
    void refusesFormsThatDoNotHaveOnePart() {
        String one = part("name=request", TestGateway.REQUEST);
        String other = part("name=\"more\"; filename=\"m\"", "x");
        assertThat(post(form(one + one)).body()).contains("exactly one part named request");
        assertThat(post(form(one + other)).body()).contains("The part more is not a part of the form");
        assertThat(post(form("")).body()).contains("exactly one part named request");
    }

    private HttpResponse<String> post(String form) {
        return gateway.send(
                "POST", REPORT, TestGateway.KEY, form.getBytes(StandardCharsets.UTF_8), Map.of("Content-Type", FORM));
    }

    private static String part(String head, String body) {
        return ("--x|Content-Disposition: form-data; " + head + "||" + body + "|").replace("|", CRLF);
    }

    private static String form(String parts) {
        return parts + "--x--" + CRLF;
    }

    @Test
    void givesTheRequestBack() {
        UUID id = submit(TestGateway.KEY);
        HttpResponse<String> query = gateway.get("/v3/batch/request-query/" + id);
        assertThat(query.body())
                .contains("\"domains\":[\"example.com\",\"example.org\"]", "\"countries\":[\"GB\",\"US\"]")
                .contains("\"start_date\":\"2025-01\",\"end_date\":\"2025-02\",\"granularity\":\"monthly\"");
        // What it says can be sent again.
        var again = (com.fasterxml.jackson.databind.node.ObjectNode) body(query);
        again.remove("dataset");
        assertThat(body(gateway.post(VALIDATE, again.toString()))
                        .path("estimated_credits")
                        .asLong())
                .isEqualTo(192);
        RequestReport command = command(id);
        ledger.request("acme", command);
        ledger.status(FakeProcessor.rendering("acme", id, 1));
        await().untilAsserted(() ->
                assertThat(gateway.get("/v3/batch/request-query/" + id).body()).isEqualTo(query.body()));
    }

    @Test
    void retriesWhatFailed() {
        UUID id = submit(TestGateway.KEY);
        assertThat(gateway.post("/v3/batch/retry/" + id, "").statusCode()).isEqualTo(409);
        ledger.status(FakeProcessor.failed("acme", id, 1, 2, ErrorCode.RENDER_FAILED));
        gateway.get(STATUS + id + "?min_sequence=2");
        HttpResponse<String> retried = gateway.post("/v3/batch/retry/" + id, "");
        assertThat(retried.statusCode()).as(retried.body()).isEqualTo(200);
        assertThat(body(retried).path("status").asText()).isEqualTo("processing");
        assertThat(body(gateway.get(STATUS + id)).path("status").asText()).isEqualTo("processing");
        assertThat(gateway.post("/v3/batch/retry/" + id, "").statusCode()).isEqualTo(409);
        assertThat(ledger.commands()).contains(new AccountCommand.RetryReport(id, 2));
    }

    @Test
    void retriesOnlyWhatCanBeRetriedAndThreeTimes() {
        UUID conflict = UUID.randomUUID();
        ledger.status(FakeProcessor.failed("acme", conflict, 1, 1, ErrorCode.IDEMPOTENCY_CONFLICT));
        UUID often = UUID.randomUUID();
        ledger.status(FakeProcessor.failed("acme", often, 4, 9, ErrorCode.RENDER_FAILED));
        for (UUID id : List.of(conflict, often)) {
            await().until(() -> gateway.get(STATUS + id).statusCode() == 200);
            assertThat(gateway.post("/v3/batch/retry/" + id, "").statusCode()).isEqualTo(409);
        }
    }

    @Test
    void cancelsWhatHasNotEnded() {
        UUID id = submit(TestGateway.KEY);
        HttpResponse<String> cancelled = cancel(id, FakeProcessor.failed("acme", id, 1, 2, ErrorCode.CANCELLED));
        assertThat(cancelled.statusCode()).isEqualTo(200);
        assertThat(body(cancelled).path("status").asText()).isEqualTo("internal_error");
        assertThat(gateway.post("/v3/batch/cancel/" + id, "").statusCode()).isEqualTo(409);
        assertThat(body(gateway.get(STATUS + id)).path("outcome").asText()).isEqualTo("cancelled");
        assertThat(gateway.get("/v3/batch/report-history?outcome=cancelled&limit=100")
                        .body())
                .contains(id.toString())
                .doesNotContain("\"outcome\":\"failed\"");
        assertThat(gateway.get("/v3/batch/report-history?outcome=failed&limit=100")
                        .body())
                .doesNotContain(id.toString());
    }

    @Test
    void saysThatWhatCompletedMeanwhileIsNotCancelled() {
        UUID id = submit(TestGateway.KEY);
        var result = new ReportStatus.Result(
                new ResultCounts(1, 8, 0),
                8,
                new StoredFile("f/1/0-1", 1, "00"),
                Instant.parse("2026-07-01T00:00:00Z"));
        HttpResponse<String> late = cancel(id, FakeProcessor.complete("acme", id, 2, result));
        assertThat(late.statusCode()).isEqualTo(409);
        assertThat(body(late).path("errors").get(0).asText()).isEqualTo("The report has ended: it is complete.");
    }

    @Test
    void erasesWhatHasEnded() {
        UUID id = submit(TestGateway.KEY);
        HttpResponse<String> early = erase(id, TestGateway.KEY);
        assertThat(early.statusCode()).isEqualTo(409);
        assertThat(body(early).path("code").asText()).isEqualTo("report_not_ended");
        assertThat(body(early).path("errors").get(0).asText()).contains("cancel it first");
        ledger.status(FakeProcessor.failed("acme", id, 1, 2, ErrorCode.CANCELLED));
        await().until(() -> gateway.get(STATUS + id).body().contains("cancelled"));
        assertThat(erase(id, TestGateway.OTHER_KEY).statusCode()).isEqualTo(404);

        var answer = CompletableFuture.supplyAsync(() -> erase(id, TestGateway.KEY));
        await().until(() -> ledger.commands().contains(new AccountCommand.EraseReport(id)));
        assertThat(answer).isNotDone();
        ledger.erased("acme", id);
        assertThat(answer.join().statusCode()).isEqualTo(204);
        assertThat(gateway.get(STATUS + id).statusCode()).isEqualTo(404);
        assertThat(gateway.get("/v3/batch/request-query/" + id).statusCode()).isEqualTo(404);
        assertThat(gateway.get("/v3/batch/report-history?limit=100").body()).doesNotContain(id.toString());
        assertThat(erase(id, TestGateway.KEY).statusCode()).isEqualTo(404);
    }

    /** Another gateway accepts a retry, which the ledger decides first. */
    @Test
    void saysThatWhatIsRetriedMeanwhileIsNotErased() {
        UUID id = submit(TestGateway.KEY);
        ledger.status(FakeProcessor.failed("acme", id, 1, 2, ErrorCode.CANCELLED));
        await().until(() -> gateway.get(STATUS + id).body().contains("cancelled"));
        var answer = CompletableFuture.supplyAsync(() -> erase(id, TestGateway.KEY));
        await().until(() -> ledger.commands().contains(new AccountCommand.EraseReport(id)));
        ledger.status(FakeProcessor.rendering("acme", id, 2, 3));
        assertThat(body(answer.join()).path("code").asText()).isEqualTo("report_not_ended");
    }

    private HttpResponse<String> erase(UUID id, String key) {
        return gateway.send("DELETE", "/v3/batch/reports/" + id, key, null, Map.of());
    }

    /** The ledger decides after the gateway has asked for the cancellation. */
    private HttpResponse<String> cancel(UUID id, ReportStatus decided) {
        var answer = CompletableFuture.supplyAsync(() -> gateway.post("/v3/batch/cancel/" + id, ""));
        await().until(() -> ledger.commands().contains(new AccountCommand.CancelReport(id)));
        ledger.status(decided);
        return answer.join();
    }

    @Test
    void pagesThroughHistory() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.addFirst(submit(TestGateway.OTHER_KEY).toString());
        }
        List<String> seen = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = body(gateway.get("/v3/batch/report-history?limit=2" + cursor, TestGateway.OTHER_KEY));
            page.path("reports").forEach(r -> {
                seen.add(r.path("report_id").asText());
                assertThat(r.has("receipt")).isFalse();
            });
            cursor = page.path("next_cursor").isNull()
                    ? ""
                    : "&cursor=" + page.path("next_cursor").asText();
        } while (!cursor.isEmpty());
        assertThat(seen).doesNotHaveDuplicates().containsAll(ids);
        assertThat(body(gateway.get("/v3/batch/report-history?status=complete", TestGateway.OTHER_KEY))
                        .path("reports"))
                .isEmpty();
        assertThat(body(gateway.get(
                                "/v3/batch/report-history?status=processing&dataset=demographics",
                                TestGateway.OTHER_KEY))
                        .path("reports"))
                .hasSizeGreaterThanOrEqualTo(5);
        assertThat(body(gateway.get("/v3/batch/report-history?dataset=keywords", TestGateway.OTHER_KEY))
                        .path("reports"))
                .isEmpty();
        String begins = "/v3/batch/report-history?id_prefix=" + ids.getLast().substring(0, 8);
        assertThat(body(gateway.get(begins, TestGateway.OTHER_KEY))
                        .path("reports")
                        .findValuesAsText("report_id"))
                .containsExactly(ids.getLast());
        assertThat(body(gateway.get(begins, TestGateway.KEY)).path("reports"))
                .as("of another account")
                .isEmpty();
    }

    /** Also before the ledger has decided the report. */
    @Test
    void findsReportsByTagNameAndTime() {
        String tagged = TestGateway.REQUEST.replaceFirst(
                "\\{",
                "{\"tags\":{\"team\":\"seo\",\"client\":\"a, b: \u00e7\"},\"report_name\":\"Found by n\u00e4me\",");
        UUID id = UUID.fromString(body(gateway.post(REPORT, TestGateway.KEY, tagged))
                .path("report_id")
                .asText());
        assertThat(command(id).request().tags()).isEqualTo(Map.of("team", "seo", "client", "a, b: \u00e7"));
        assertThat(body(gateway.get(STATUS + id)).path("tags").path("team").asText())
                .isEqualTo("seo");
        assertThat(body(gateway.get("/v3/batch/request-query/" + id))
                        .path("tags")
                        .path("client")
                        .asText())
                .isEqualTo("a, b: \u00e7");
        // Both with their marks apart, as some systems write them.
        String both =
                "/v3/batch/report-history?tag=team:seo&tag=client:a,%20b:%20c%CC%A7&name=NA%CC%88&from=2020-01-01";
        for (String word : List.of("processing", "internal_error")) {
            JsonNode found = body(gateway.get(both)).path("reports");
            assertThat(found.findValuesAsText("report_id")).containsExactly(id.toString());
            assertThat(found.get(0).path("status").asText()).isEqualTo(word);
            ledger.status(command(id).undecidedStatus("acme").failed(1, CANCELLED, Instant.now()));
            gateway.get(STATUS + id + "?min_sequence=1");
        }
        assertThat(body(gateway.get(both + "&to=2020-01-02")).path("reports")).isEmpty();
        assertThat(body(gateway.get("/v3/batch/report-history?tag=team:sea")).path("reports"))
                .isEmpty();
    }

    @Test
    void countsWhatItHasAcceptedAgainstTheBalance() {
        balance("slow", 200);
        UUID id = submit(TestGateway.SLOW_KEY);
        assertThat(command(id).historyDays()).as("as the account has it").isEqualTo(90);
        assertThat(gateway.get("/v3/batch/credits", TestGateway.SLOW_KEY).body())
                .isEqualTo("{\"remaining_credits\":8,\"credits\":8}");
        HttpResponse<String> refused = await().until(
                        () -> gateway.post(REPORT, TestGateway.SLOW_KEY, TestGateway.REQUEST),
                        r -> r.statusCode() != 429);
        assertThat(refused.statusCode()).isEqualTo(402);
        assertThat(refused.body()).contains("192 credits", "8 credits");
        balance("slow", 100_000);
        await().until(() ->
                gateway.get("/v3/batch/credits", TestGateway.SLOW_KEY).statusCode() == 200);
    }

    @Test
    void whoTypesInAFormHoldsUpNoProgram() throws Exception {
        List<Integer> submitted = new CopyOnWriteArrayList<>();
        List<Integer> validated = new CopyOnWriteArrayList<>();
        // 4.5 submissions of 5 a second, and 25 validations of 40.
        try (var pace = Executors.newScheduledThreadPool(2)) {
            var typing = pace.scheduleAtFixedRate(
                    () -> validated.add(gateway.post(VALIDATE, TestGateway.PACED_KEY, TestGateway.REQUEST)
                            .statusCode()),
                    0,
                    40,
                    TimeUnit.MILLISECONDS);
            var program = pace.scheduleAtFixedRate(
                    () -> submitted.add(gateway.post(REPORT, TestGateway.PACED_KEY, TestGateway.REQUEST)
                            .statusCode()),
                    0,
                    220,
                    TimeUnit.MILLISECONDS);
            await().until(() -> submitted.size() >= 8 || program.isDone() || typing.isDone());
            pace.shutdownNow();
        }
        assertThat(submitted).hasSizeGreaterThanOrEqualTo(8).containsOnly(200);
        assertThat(validated).hasSizeGreaterThanOrEqualTo(10).containsOnly(200);
    }

    @Test
    void saysWhatIsLeftOfTheLimits() {
        HttpResponse<String> accepted = await().until(
                        () -> gateway.post(REPORT, TestGateway.PACED_KEY, TestGateway.REQUEST),
                        r -> r.statusCode() != 429);
        assertThat(accepted.statusCode()).isEqualTo(200);
        assertThat(accepted.headers().allValues("RateLimit-Policy"))
                .containsExactly("\"submit\";q=5;w=1, \"open-reports\";q=100;qu=\"concurrent-requests\"");
        HttpResponse<String> next = await().until(
                        () -> gateway.post(REPORT, TestGateway.PACED_KEY, TestGateway.REQUEST),
                        r -> r.statusCode() != 429);
        assertThat(openReportsLeft(next)).isEqualTo(openReportsLeft(accepted) - 1);
        HttpResponse<String> read = gateway.get("/v3/batch/credits", TestGateway.PACED_KEY);
        assertThat(read.headers().allValues("RateLimit-Policy"))
                .containsExactly("\"read\";q=" + TestGateway.READS_PER_SECOND + ";w=1");
        assertThat(read.headers().firstValue("RateLimit").orElseThrow()).matches("\"read\";r=[0-9]+;t=1");
        assertThat(gateway.get("/openapi.yaml").headers().firstValue("RateLimit"))
                .as("counts against none")
                .isEmpty();
    }

    private static int openReportsLeft(HttpResponse<String> answer) {
        Matcher left = Pattern.compile("\"submit\";r=[0-4];t=1, \"open-reports\";r=([0-9]+)")
                .matcher(answer.headers().firstValue("RateLimit").orElseThrow());
        assertThat(left.matches()).isTrue();
        return Integer.parseInt(left.group(1));
    }

    @Test
    void saysWhichRateIsExceeded() {
        HttpResponse<String> submissions = await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofNanos(1))
                .until(
                        () -> gateway.post("/v3/batch/cancel/" + UUID.randomUUID(), TestGateway.SLOW_KEY, ""),
                        r -> r.statusCode() == 429);
        assertThat(body(submissions).path("errors").get(0).asText())
                .isEqualTo("The account may send 2 requests a second that submit, change or end something; this is one"
                        + " more.");
        assertThat(submissions.headers().allValues("RateLimit-Policy")).containsExactly("\"submit\";q=2;w=1");
        assertThat(submissions.headers().allValues("RateLimit")).containsExactly("\"submit\";r=0;t=1");
        HttpResponse<String> reads = await().pollDelay(Duration.ZERO)
                .until(() -> refusedRead(), Optional::isPresent)
                .orElseThrow();
        assertThat(body(reads).path("errors").get(0).asText())
                .isEqualTo("The account may send " + TestGateway.READS_PER_SECOND
                        + " requests a second that read, validate or preview; this is one more.");
        assertThat(reads.headers().firstValue("Retry-After")).contains("1");
    }

    /** One of many reads that are sent at once: one after the other, a busy machine may send fewer than the rate. */
    private Optional<HttpResponse<String>> refusedRead() throws Exception {
        try (var senders = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<HttpResponse<String>>> many = Collections.nCopies(
                    5 * TestGateway.READS_PER_SECOND, () -> gateway.get("/v3/batch/credits", TestGateway.SLOW_KEY));
            for (Future<HttpResponse<String>> sent : senders.invokeAll(many)) {
                if (sent.get().statusCode() == 429) {
                    return Optional.of(sent.get());
                }
            }
            return Optional.empty();
        }
    }

    @Test
    void describesAndTellsCapabilities() {
        assertThat(body(gateway.get("/v3/batch/tables/describe"))).hasSize(5);
        for (String key : List.of(TestGateway.KEY, TestGateway.REST_KEY)) {
            JsonNode capabilities = body(gateway.get("/capabilities?api_key=" + key, null));
            assertThat(capabilities.path("remaining_hits").isIntegralNumber()).isTrue();
            assertThat(capabilities.path("web_desktop_data").toString())
                    .contains("\"start_date\":\"2024-01-01\"", "{\"code\":\"WW\",\"name\":\"Worldwide\"}");
            assertThat(capabilities.has("app_engagement_data")).isTrue();
        }
    }

    @Test
    void answersARepetitionWithTheSameReport() {
        Map<String, String> headers = Map.of("Content-Type", "application/json", "Idempotency-Key", "k1");
        HttpResponse<String> first = send(TestGateway.REQUEST, headers);
        HttpResponse<String> second = send(TestGateway.REQUEST, headers);
        // Another spelling of the same request.
        HttpResponse<String> third = send(TestGateway.REQUEST.replace("[\"US\",\"GB\"]", "[\"GB\",\"US\"]"), headers);
        assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(List.of(second, third)).allSatisfy(replay -> {
            assertThat(replay.body()).isEqualTo(first.body());
            assertThat(replay.headers().firstValue("Idempotent-Replayed")).contains("true");
        });
        assertThat(send(TestGateway.REQUEST.replace("2025-02", "2025-03"), headers)
                        .statusCode())
                .isEqualTo(409);
        assertThat(requests(body(first).path("report_id").asText())).isEqualTo(1);
    }

    @Test
    void takesOneOfManyThatRaceWithOneKey() throws Exception {
        Map<String, String> headers = Map.of("Content-Type", "application/json", "Idempotency-Key", "k2");
        List<HttpResponse<String>> answers = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(8)) {
            List<Callable<HttpResponse<String>>> calls =
                    java.util.Collections.nCopies(8, () -> send(TestGateway.REQUEST, headers));
            for (Future<HttpResponse<String>> answer : threads.invokeAll(calls)) {
                answers.add(answer.get());
            }
        }
        assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(200);
        assertThat(answers)
                .extracting(HttpResponse::body)
                .hasSize(8)
                .containsOnly(answers.getFirst().body());
        assertThat(requests(body(answers.getFirst()).path("report_id").asText()))
                .isEqualTo(1);
    }

    @Test
    void knowsEverythingAgainAfterARestart() {
        Map<String, String> headers = Map.of("Content-Type", "application/json", "Idempotency-Key", "k3");
        HttpResponse<String> first = send(TestGateway.REQUEST, headers);
        UUID id = UUID.fromString(body(first).path("report_id").asText());
        UUID ended = submit(TestGateway.KEY);
        ledger.status(FakeProcessor.failed("acme", ended, 1, 2, ErrorCode.RENDER_FAILED));
        gateway.get(STATUS + ended + "?min_sequence=2");
        String history = gateway.get("/v3/batch/report-history").body();
        try (TestGateway second = TestGateway.start(kafka.bootstrapServers(), reports)) {
            assertThat(second.get("/v3/batch/report-history").body()).isEqualTo(history);
            assertThat(second.get(STATUS + id).body())
                    .isEqualTo(gateway.get(STATUS + id).body());
            assertThat(second.get("/v3/batch/request-query/" + id).statusCode()).isEqualTo(200);
            HttpResponse<String> replay = second.send(
                    "POST", REPORT, TestGateway.KEY, TestGateway.REQUEST.getBytes(StandardCharsets.UTF_8), headers);
            assertThat(replay.body()).isEqualTo(first.body());
            assertThat(replay.headers().firstValue("Idempotent-Replayed")).contains("true");
        }
    }

    /** Many ask, so that some of them ask just while the command is folded. */
    @Test
    void seesAtOnceWhatAnotherGatewayAccepts() throws Exception {
        try (TestGateway second = TestGateway.start(kafka.bootstrapServers(), reports);
                var threads = Executors.newFixedThreadPool(16)) {
            for (int i = 0; i < 50; i++) {
                UUID id = submit(TestGateway.KEY);
                Callable<Integer> ask = () -> second.get(STATUS + id).statusCode();
                for (Future<Integer> answer : threads.invokeAll(Collections.nCopies(16, ask))) {
                    assertThat(answer.get()).isEqualTo(200);
                }
            }
        }
    }

    @Test
    void testsAWebhookAndReinstatesIt() throws IOException {
        var bodies = new ConcurrentLinkedQueue<String>();
        var receiver = com.sun.net.httpserver.HttpServer.create(
                new InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/ok", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        String base = "http://127.0.0.1:" + receiver.getAddress().getPort();
        try {
            HttpResponse<String> ok = gateway.post("/v3/batch/webhooks/test", "{\"webhook_url\":\"" + base + "/ok\"}");
            assertThat(ok.statusCode()).as(ok.body()).isEqualTo(200);
            assertThat(bodies).containsExactly(ok.body());
            assertThat(body(ok).path("event_type").asText()).isEqualTo("test_webhook_endpoint");
            assertThat(ledger.values(Topics.DELIVERIES).stream().map(Topics.DELIVERIES::decode))
                    .anySatisfy(d -> assertThat(d).isInstanceOf(DeliveryCommand.Reinstate.class));
            HttpResponse<String> no = gateway.post("/v3/batch/webhooks/test", "{\"webhook_url\":\"" + base + "/no\"}");
            assertThat(no.statusCode()).isEqualTo(400);
            assertThat(body(no).path("errors").get(0).asText()).contains("404");
            // Allowed as loopback, and blocked by itself.
            String blocked = base.replace("127.0.0.1", "127.0.0.9") + "/ok";
            HttpResponse<String> closed =
                    gateway.post("/v3/batch/webhooks/test", "{\"webhook_url\":\"" + blocked + "\"}");
            assertThat(closed.statusCode()).isEqualTo(400);
            assertThat(body(closed).path("errors").get(0).asText()).contains("Not sent: ");
        } finally {
            receiver.stop(0);
        }
    }

    @Test
    void readsPackedBodies() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(TestGateway.REQUEST.getBytes(StandardCharsets.UTF_8));
        }
        Map<String, String> headers = Map.of("Content-Type", "application/json", "Content-Encoding", "gzip");
        HttpResponse<String> accepted = gateway.send("POST", VALIDATE, TestGateway.KEY, packed.toByteArray(), headers);
        assertThat(accepted.body())
                .isEqualTo(gateway.post(VALIDATE, TestGateway.REQUEST).body());
    }

    /** Also of what is refused, so that they can say why. */
    @Test
    void letsPagesOfAllowedOriginsAsk() {
        Map<String, String> page = Map.of("Origin", TestGateway.ALLOWED_ORIGIN);
        for (String key : List.of(TestGateway.KEY, "wrong")) {
            HttpResponse<String> answer = gateway.send("GET", "/v3/batch/credits", key, null, page);
            assertThat(answer.statusCode()).isEqualTo(key.equals("wrong") ? 401 : 200);
            opensTo(TestGateway.ALLOWED_ORIGIN, answer);
            assertThat(answer.headers().allValues("Access-Control-Expose-Headers"))
                    .contains(
                            "X-Request-Id",
                            "Location",
                            "Retry-After",
                            "RateLimit",
                            "RateLimit-Policy",
                            "ETag",
                            "Content-Disposition",
                            "Content-Range");
        }
        for (String path : List.of(REPORT, "/batch/v4/request-report", "/v3/batch/webhooks/test")) {
            HttpResponse<String> preflight = preflight(path, TestGateway.ALLOWED_ORIGIN);
            assertThat(preflight.statusCode()).as(path).isEqualTo(200);
            opensTo(TestGateway.ALLOWED_ORIGIN, preflight);
            assertThat(preflight.headers().firstValue("Access-Control-Allow-Methods"))
                    .contains("POST");
            assertThat(String.join(",", preflight.headers().allValues("Access-Control-Allow-Headers")))
                    .contains("api-key", "content-type", "idempotency-key", "x-request-id");
        }
    }

    /** It is no matter of its origin. */
    @Test
    void tellsAPageWhatItsKeyLacks() {
        HttpResponse<String> refused = gateway.send(
                "POST",
                REPORT,
                TestGateway.READING_KEY,
                TestGateway.REQUEST.getBytes(StandardCharsets.UTF_8),
                Map.of("Content-Type", "application/json", "Origin", TestGateway.ALLOWED_ORIGIN));
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(body(refused).path("code").asText()).isEqualTo("scope_missing");
    }

    /** The whole origin counts: its scheme, its host and its port. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://app.example.com",
                "https://app.example.com:8443",
                "https://app.example.com.evil.example",
                "https://APP.example.com",
                "null",
            })
    void showsOtherPagesNothing(String origin) {
        HttpResponse<String> answer =
                gateway.send("GET", "/v3/batch/credits", TestGateway.KEY, null, Map.of("Origin", origin));
        assertThat(answer.statusCode()).isEqualTo(403);
        HttpResponse<String> preflight = preflight(REPORT, origin);
        assertThat(preflight.statusCode()).isBetween(400, 499);
        for (HttpResponse<String> said : List.of(answer, preflight)) {
            assertThat(said.headers().map().keySet())
                    .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control"));
        }
    }

    /** What a browser has kept without an origin is nothing that a page may have. */
    @Test
    void saysThatAnswersDifferByOrigin() {
        for (String path : List.of("/v3/batch/credits", "/v3/batch/nowhere", "/console", "/health/liveness")) {
            HttpResponse<String> answer = gateway.get(path);
            assertThat(answer.headers().allValues("Vary")).as(path).containsExactly("Origin");
            assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
                    .isEmpty();
        }
    }

    private static void opensTo(String origin, HttpResponse<String> answer) {
        assertThat(answer.headers().allValues("Access-Control-Allow-Origin")).containsExactly(origin);
        assertThat(answer.headers().allValues("Vary")).containsExactly("Origin");
        assertThat(answer.headers().firstValue("Access-Control-Allow-Credentials"))
                .isEmpty();
    }

    /** What a browser asks before it sends a page's POST; it has no key. */
    private HttpResponse<String> preflight(String path, String origin) {
        return gateway.send(
                "OPTIONS",
                path,
                null,
                null,
                Map.of(
                        "Origin",
                        origin,
                        "Access-Control-Request-Method",
                        "POST",
                        "Access-Control-Request-Headers",
                        "api-key,content-type,idempotency-key,x-request-id"));
    }

    @Test
    void leadsABrowserToTheConsole() {
        HttpResponse<String> root = gateway.get("/", null);
        assertThat(root.statusCode()).isEqualTo(302);
        assertThat(root.headers().firstValue("Location")).contains("/console");
        HttpResponse<String> page = gateway.get("/console", null);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).startsWith("default-src 'none'; script-src 'self';"));
        assertThat(page.headers().firstValue("Cache-Control")).contains("no-cache");
        String tag = page.headers().firstValue("ETag").orElseThrow();
        HttpResponse<String> again = gateway.send("GET", "/console", null, null, Map.of("If-None-Match", tag));
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        for (String path :
                List.of("app.js", "lib/api.js", "console.css", "icon.svg", "lit-html/directives/repeat.js")) {
            assertThat(gateway.get("/console/" + path, null).statusCode())
                    .as(path)
                    .isEqualTo(200);
        }
        for (String path : List.of("nothing.js", "index.html", "lib/", "lit-html/../app.js", "ConsoleRoutes.class")) {
            assertThat(gateway.get("/console/" + path, null).statusCode())
                    .as(path)
                    .isEqualTo(404);
        }
    }

    /** A page must not put its key into an address. */
    @Test
    void takesTheKeyOfCapabilitiesInAHeaderToo() {
        assertThat(body(gateway.get("/capabilities", TestGateway.REST_KEY)).has("remaining_hits"))
                .isTrue();
        assertThat(gateway.get("/capabilities", "wrong").statusCode()).isEqualTo(401);
    }

    /** From the page that a browser is led to: every link leads somewhere, and nothing runs that is not a file. */
    @Test
    void everyLinkOfEveryPageLeadsSomewhere() {
        Map<String, String> pages = new HashMap<>();
        Deque<String> left = new ArrayDeque<>(List.of("/docs/requests"));
        while (!left.isEmpty()) {
            String path = left.pop();
            HttpResponse<String> answer = gateway.get(path, null);
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            pages.put(path, answer.body());
            if (answer.headers().firstValue("Content-Type").orElse("").startsWith("text/html")) {
                assertThat(answer.headers().firstValue("Content-Security-Policy"))
                        .hasValueSatisfying(policy -> assertThat(policy)
                                .startsWith("default-src 'none'")
                                .doesNotContain("script-src 'self' 'unsafe", "unsafe-eval"));
                assertThat(answer.body()).doesNotContainPattern("<script>|<style>| on[a-z]+=\"| style=\"");
                links(answer.body())
                        .map(link -> link.replaceAll("#.*", ""))
                        .filter(link -> link.startsWith("/") && !pages.containsKey(link) && !left.contains(link))
                        .forEach(left::add);
            }
        }
        assertThat(pages.keySet())
                .contains(
                        "/docs/calls",
                        "/docs/requests",
                        "/docs/webhooks",
                        "/docs/agents",
                        "/docs/errors",
                        "/docs/compatibility",
                        "/docs/topics")
                .contains("/docs/style.css", "/docs/site.js", "/docs/libraries", "/asyncapi.yaml")
                .contains("/schemas/report-events.v1.json", "/schemas/webhook-dead-letters.v1.json");
        pages.forEach((path, body) -> links(body)
                .filter(link -> path.startsWith("/docs") && !path.contains("."))
                .forEach(link -> assertThat(leadsSomewhere(pages, path, link))
                        .as("%s of %s", link, path)
                        .isTrue()));
        assertThat(gateway.get("/docs/secure-connections", null).statusCode()).isEqualTo(404);
        assertThat(gateway.get("/docs/webhooks.md", null).body()).startsWith("# Receiving webhooks");
        assertThat(gateway.get("/docs", null).headers().firstValue("Location")).hasValue("/docs/requests");
        assertThat(gateway.get("/llms.txt", null).body()).contains("/docs/webhooks.md");
        assertThat(body(gateway.get("/schemas", null)).path("schemas").get(0).asText())
                .startsWith("/schemas/");
        assertThat(gateway.get("/schemas/internal.accounts.v1.json", null).statusCode())
                .isEqualTo(404);
    }

    /** Its modules name documents and pages of the API. */
    @Test
    void everyDocumentThatTheConsoleLinksIsServed() throws IOException {
        Set<String> linked = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/resources/millrace/gateway/console"))) {
            // Pages of operators are served on another port.
            for (Path file : files.filter(f -> f.toString().matches(".*\\.(js|html)"))
                    .filter(f -> !f.toString().contains("operator"))
                    .toList()) {
                Pattern.compile("[\"'](/(?:docs|console)[^\"'`$?]*)[\"']")
                        .matcher(Files.readString(file))
                        .results()
                        .forEach(link -> linked.add(link.group(1)));
            }
        }
        assertThat(linked)
                .contains("/docs/calls", "/docs/requests", "/docs/topics", "/docs/webhooks", "/console/app.js");
        assertThat(linked).allSatisfy(link -> assertThat(gateway.get(link, null).statusCode())
                .as(link)
                .isEqualTo(200));
    }

    private static Stream<String> links(String html) {
        return Pattern.compile("(?:href|src)=\"([^\"]*)\"")
                .matcher(html)
                .results()
                .map(link -> link.group(1));
    }

    private static boolean leadsSomewhere(Map<String, String> pages, String path, String link) {
        if (link.startsWith("https://")) {
            return true;
        }
        String[] parts = link.split("#", 2);
        String page = pages.get(parts[0].isEmpty() ? path : parts[0]);
        return page != null && (parts.length == 1 || page.contains("id=\"" + parts[1] + "\""));
    }

    @Test
    void servesItsDocument() {
        assertThat(gateway.get("/openapi.json", null).body()).contains("\"/v3/batch/keywords/request-report\"");
        assertThat(gateway.get("/openapi.yaml", null).body()).contains("/v3/batch/keywords/request-report");
        // What a processor has found in the data takes the place of the made-up example.
        String path = "/paths/~1v3~1batch~1keywords~1request-report/post/requestBody/content/application~1json/example";
        assertThat(body(gateway.get("/openapi.json", null))
                        .at(path + "/keywords/0")
                        .asText())
                .isEqualTo("running shoes");
        var dates = new ReportQuery.Dates(
                Granularity.MONTHLY, LocalDate.parse("2026-09-01"), LocalDate.parse("2026-10-01"));
        var found = new ReportQuery(
                "keywords",
                List.of("mill"),
                List.of("DE"),
                List.of("all_keyword_cpc"),
                dates,
                Map.of(),
                false,
                null,
                ReportQuery.Output.CSV);
        ledger.put(
                Topics.DATASET_EXAMPLES,
                "keywords",
                new DatasetExample("keywords", "v1", found, null, null, null, null, null));
        await().untilAsserted(() -> assertThat(
                        body(gateway.get("/openapi.json", null)).at(path).toString())
                .startsWith("{\"keywords\":[\"mill\"],\"countries\":[\"DE\"],\"metrics\":[\"all_keyword_cpc\"],"
                        + "\"start_date\":\"2026-09\",\"end_date\":\"2026-10\""));
        assertThat(gateway.get("/openapi.yaml", null).body()).contains("mill");
    }

    @Test
    void tellsWhatIsInTheData() throws IOException {
        String path = "/v3/batch/tables/audience_interests/entities";
        HttpResponse<String> unknown = gateway.get(path);
        assertThat(unknown.statusCode()).isEqualTo(503);
        assertThat(unknown.headers().firstValue("Retry-After")).contains("1");
        assertThat(body(unknown).path("errors").get(0).asText())
                .isEqualTo("The entities of audience_interests are not known at the moment; try again.");
        assertThat(described("audience_interests").has("data")).isFalse();

        publish(
                "audience_interests",
                List.of("a.example", "b.example", "banana.example", "c.example"),
                new DatasetFacts.Span(LocalDate.parse("2023-01-01"), LocalDate.parse("2025-03-01")));
        await().until(() -> gateway.get(path).statusCode() == 200);
        assertThat(gateway.get(path + "?prefix=B").body())
                .isEqualTo("{\"entities\":[\"b.example\",\"banana.example\"],\"more\":false}");
        assertThat(gateway.get(path + "?prefix=b&limit=1").body())
                .isEqualTo("{\"entities\":[\"b.example\"],\"more\":true}");
        assertThat(gateway.get(path + "?prefix=none").body()).isEqualTo("{\"entities\":[],\"more\":false}");
        // The history of the account begins with 2024.
        assertThat(described("audience_interests").path("data").toString())
                .isEqualTo("{\"version\":\"v1\",\"row_count\":40,\"entity_count\":4,"
                        + "\"periods\":{\"monthly\":{\"first\":\"2023-01-01\",\"last\":\"2025-03-01\"}},"
                        + "\"accessible\":{\"first\":\"2024-01-01\",\"last\":\"2025-03-01\"},"
                        + "\"sample_entities\":[\"a.example\",\"b.example\",\"banana.example\"]}");
    }

    @Test
    void warnsOfWhatIsNotInTheData() throws IOException {
        publish(
                "traffic_and_engagement",
                List.of("a.example", "c.example"),
                new DatasetFacts.Span(LocalDate.parse("2024-01-01"), LocalDate.parse("2025-03-01")));
        await().until(() ->
                gateway.get("/v3/batch/tables/traffic_and_engagement/entities").statusCode() == 200);
        String request = """
                {"domains":["%s"],"countries":["US"],"metrics":["category_sales_performance_revenue"],
                 "start_date":"%s","end_date":"%s","granularity":"monthly"}""";
        String base = "/v3/batch/traffic_and_engagement/";
        String known = String.format(Locale.ROOT, request, "a.example\",\"c.example", "2025-01", "2025-03");
        assertThat(warnings(gateway.post(base + "request-validate", known))).noneMatch(w -> w.contains("data"));
        String partly =
                String.format(Locale.ROOT, request, "a.example\",\"b.example\",\"z.example", "2025-01", "2025-04");
        List<String> expected = List.of(
                "2 of 3 domains are not in the data: b.example, z.example.",
                "The data end with 2025-03; later periods have no rows.");
        assertThat(warnings(gateway.post(base + "request-validate", partly))).containsAll(expected);

        HttpResponse<String> accepted = gateway.post(base + "request-report", partly);
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(200);
        UUID id = UUID.fromString(body(accepted).path("report_id").asText());
        assertThat(warnings(gateway.get(STATUS + id))).isEqualTo(expected);
        assertThat(command(id).warnings()).isEqualTo(expected);
        UUID other = UUID.fromString(body(gateway.post(base + "request-report", known))
                .path("report_id")
                .asText());
        assertThat(command(other).warnings()).isNull();
        assertThat(gateway.get(STATUS + other).body()).doesNotContain("warnings");

        String many = IntStream.range(0, 10_005)
                .mapToObj(i -> String.format(Locale.ROOT, "d%05d.example", i))
                .collect(Collectors.joining("\",\""));
        assertThat(warnings(gateway.post(
                        base + "request-validate", String.format(Locale.ROOT, request, many, "2025-01", "2025-03"))))
                .anyMatch(w -> w.startsWith("10,005 of 10,005 domains are not in the data: d00000.example, ")
                        && w.endsWith("d00009.example and 9,995 more."));
        HttpResponse<String> asked =
                gateway.post(base + "request-report", String.format(Locale.ROOT, request, many, "2025-01", "2025-03"));
        assertThat(warnings(gateway.get(STATUS + body(asked).path("report_id").asText())))
                .anyMatch(w -> w.endsWith(" d00000.example, d00001.example, d00002.example and 10,002 more."));
    }

    /** A list that somebody has pasted. */
    @Test
    void onlyWhatIsInTheDataIsReserved() throws IOException {
        String validate = "/v3/batch/keywords/request-validate";
        String report = "/v3/batch/keywords/request-report";
        List<String> all = IntStream.range(0, 8_100)
                .mapToObj(i -> String.format(Locale.ROOT, "pasted %05d", i))
                .toList();
        String request = """
                {"keywords":%s,"countries":["US"],"metrics":["all_keyword_monthly_search_volume"],"start_date":"2025-01",
                 "end_date":"2025-01","granularity":"monthly","max_credits":5}""".formatted(Json.text(all));
        balance("secretless", 10);
        publishKeywords("v1", all.subList(3_000, 3_100));
        JsonNode checked = await().until(
                        () -> body(gateway.post(validate, TestGateway.SECRETLESS_KEY, request)),
                        v -> v.has("known_entities"));
        assertThat(checked.path("is_valid").asBoolean()).isTrue();
        assertThat(checked.path("estimated_credits").asLong()).isEqualTo(4);
        assertThat(checked.path("known_entities").asInt()).isEqualTo(100);
        assertThat(checked.path("unknown_entities").asInt()).isEqualTo(8_000);

        HttpResponse<String> accepted = keyed(report, request);
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(200);
        UUID id = UUID.fromString(body(accepted).path("report_id").asText());
        assertThat(command(id).versionPrice()).isEqualTo(new VersionPrice("v1", 4));
        assertThat(warnings(gateway.post(validate, TestGateway.SECRETLESS_KEY, request)))
                .as("somebody is about to pay for the same again")
                .anyMatch(warning -> warning.startsWith("Report " + id + " of "));
        assertThat(command(id).quote().credits()).as("in another version").isEqualTo(324);
        assertThat(body(gateway.get(STATUS + id, TestGateway.SECRETLESS_KEY))
                        .path("estimated_credits")
                        .asLong())
                .isEqualTo(4);
        assertThat(body(gateway.get("/v3/batch/credits", TestGateway.SECRETLESS_KEY))
                        .path("credits")
                        .asLong())
                .isEqualTo(6);

        // The same request is the same report, whatever is in the data by now.
        publishKeywords("v2", all);
        await().until(
                        () -> gateway.post(validate, TestGateway.SECRETLESS_KEY, request)
                                .body(),
                        answer -> answer.contains("324 credits"));
        String token = checked.path("quote").path("token").asText();
        assertThat(checked.path("quote").path("max_credits").asLong()).isEqualTo(4);
        assertThat(checked.path("quote").path("data_version").asText()).isEqualTo("v1");
        String quoted = request.replaceFirst("\\{", "{\"quote\":\"" + token + "\",");
        assertThat(body(keyed(report, quoted)).path("report_id").asText())
                .as("the same request with its key, whatever its quote")
                .isEqualTo(id.toString());
        HttpResponse<String> changed =
                gateway.post(report, TestGateway.SECRETLESS_KEY, quoted.replace("2025-01", "2025-02"));
        assertThat(changed.statusCode()).isEqualTo(409);
        assertThat(body(changed).path("code").asText()).isEqualTo("quote_mismatch");
        UUID promised = UUID.fromString(body(gateway.post(report, TestGateway.SECRETLESS_KEY, quoted))
                .path("report_id")
                .asText());
        assertThat(command(promised).versionPrice()).isEqualTo(new VersionPrice("v1", 4, true));
        assertThat(command(promised).quote().credits())
                .as("if the version is gone")
                .isEqualTo(324);

        HttpResponse<String> repeated = keyed(report, request);
        assertThat(repeated.statusCode()).as(repeated.body()).isEqualTo(200);
        assertThat(body(repeated).path("report_id").asText()).isEqualTo(id.toString());
        HttpResponse<String> other = gateway.post(report, TestGateway.SECRETLESS_KEY, request);
        assertThat(other.statusCode()).isEqualTo(400);
        assertThat(body(other).path("errors").get(0).asText())
                .isEqualTo("max_credits: the estimate of 324 credits is above 5; accepted: at least the estimate, or a"
                        + " smaller request");
        HttpResponse<String> unlimited =
                gateway.post(report, TestGateway.SECRETLESS_KEY, request.replace(",\"max_credits\":5", ""));
        assertThat(unlimited.statusCode()).isEqualTo(402);
        assertThat(unlimited.body()).contains("324 credits; 2 credits remain");
    }

    private HttpResponse<String> keyed(String path, String body) {
        return gateway.send(
                "POST",
                path,
                TestGateway.SECRETLESS_KEY,
                body.getBytes(StandardCharsets.UTF_8),
                Map.of("Content-Type", "application/json", "Idempotency-Key", "pasted"));
    }

    private void publishKeywords(String version, List<String> names) throws IOException {
        var months = new DatasetFacts.Span(LocalDate.parse("2024-01-01"), LocalDate.parse("2025-03-01"));
        DatasetExample example = TestDictionaries.write(
                new DiskReportStore(reports, false), "keywords", version, names, Map.of("monthly", months));
        ledger.put(Topics.DATASET_EXAMPLES, "keywords", example);
    }

    /** The file has been deleted, or the storage does not answer. */
    @Test
    void aRequestIsFineWithoutTheNamesOfEntities() throws IOException {
        publish(
                "site_keywords",
                List.of("a.example"),
                new DatasetFacts.Span(LocalDate.parse("2025-01-06"), LocalDate.parse("2025-03-03")));
        await().until(() -> described("site_keywords").has("data"));
        var store = new DiskReportStore(reports, false);
        store.delete(EntityDictionary.fileName("site_keywords", "v1"));
        // Another version, so that it is opened anew.
        ledger.put(
                Topics.DATASET_EXAMPLES,
                "site_keywords",
                new DatasetExample(
                        "site_keywords",
                        "v2",
                        null,
                        new DatasetFacts(null, 1, 1, Map.of(), List.of("a.example")),
                        null,
                        null,
                        null,
                        null));
        await().until(() ->
                gateway.get("/v3/batch/tables/site_keywords/entities").statusCode() == 503);
        String request = """
                {"domains":["b.example"],"countries":["US"],"metrics":["desktop_keywords_total_visits"],
                 "start_date":"2025-01-06","end_date":"2025-01-19","granularity":"weekly"}""";
        HttpResponse<String> accepted = gateway.post("/v3/batch/site_keywords/request-report", request);
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(200);
        assertThat(warnings(
                        gateway.get(STATUS + body(accepted).path("report_id").asText())))
                .containsExactly("The data have no weekly periods.");
    }

    private void publish(String dataset, List<String> names, DatasetFacts.Span monthly) throws IOException {
        DatasetExample example = TestDictionaries.write(
                new DiskReportStore(reports, false), dataset, "v1", names, Map.of("monthly", monthly));
        ledger.put(Topics.DATASET_EXAMPLES, dataset, example);
    }

    private JsonNode described(String dataset) {
        for (JsonNode table : body(gateway.get("/v3/batch/tables/describe"))) {
            if (table.path("table").asText().equals(dataset)) {
                return table;
            }
        }
        throw new AssertionError("describe lacks " + dataset);
    }

    private static List<String> warnings(HttpResponse<String> response) {
        List<String> warnings = new ArrayList<>();
        body(response).path("warnings").forEach(warning -> warnings.add(warning.asText()));
        return warnings;
    }

    private void balance(String account, long credits) {
        ledger.balance(account, credits, 0);
    }

    private HttpResponse<String> send(String body, Map<String, String> headers) {
        return gateway.send("POST", REPORT, TestGateway.KEY, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    private UUID submit(String key) {
        HttpResponse<String> accepted = await().until(
                        () -> gateway.post(REPORT, key, TestGateway.REQUEST),
                        r -> r.statusCode() != 402 && r.statusCode() != 429);
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(200);
        return UUID.fromString(body(accepted).path("report_id").asText());
    }

    private long requests(String id) {
        return ledger.commands().stream()
                .filter(c ->
                        c instanceof RequestReport r && r.reportId().toString().equals(id))
                .count();
    }

    private RequestReport command(UUID id) {
        return ledger.commands().stream()
                .map(c -> c instanceof RequestReport r && r.reportId().equals(id) ? r : null)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode body(HttpResponse<String> response) {
        try {
            return Json.MAPPER.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
