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
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPOutputStream;
import millrace.contracts.Json;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.topics.Topics;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoutesIT {
    private static final String REPORT = "/v3/batch/demographics/request-report";
    private static final String VALIDATE = "/v3/batch/demographics/request-validate";
    private static final String STATUS = "/v3/batch/request-status/";
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
                .isEqualTo("{\"estimated_credits\":192,\"is_valid\":true,\"warnings\":[]}");
        JsonNode invalid = body(gateway.post(VALIDATE, TestGateway.REQUEST.replace("monthly", "hourly")));
        assertThat(invalid.path("is_valid").asBoolean()).isFalse();
        assertThat(invalid.path("errors").get(0).asText()).startsWith("granularity");
        assertThat(invalid.has("estimated_credits")).isFalse();
    }

    @Test
    void takesAFormWithAFile() {
        String form = "--x\r\nContent-Disposition: form-data; name=\"request\"; filename=\"r.json\"\r\n"
                + "Content-Type: application/json\r\n\r\n" + TestGateway.REQUEST + "\r\n--x--\r\n";
        HttpResponse<String> answer = gateway.send(
                "POST", REPORT, TestGateway.KEY, form.getBytes(StandardCharsets.UTF_8), Map.of("Content-Type", FORM));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
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
    }

    @Test
    void countsWhatItHasAcceptedAgainstTheBalance() {
        balance("slow", 200);
        submit(TestGateway.SLOW_KEY);
        assertThat(gateway.get("/v3/batch/credits", TestGateway.SLOW_KEY).body())
                .isEqualTo("{\"remaining_credits\":8}");
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

    @Test
    void seesAtOnceWhatAnotherGatewayAccepts() {
        try (TestGateway second = TestGateway.start(kafka.bootstrapServers(), reports)) {
            for (int i = 0; i < 20; i++) {
                UUID id = submit(TestGateway.KEY);
                assertThat(second.get(STATUS + id).statusCode()).isEqualTo(200);
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

    @Test
    void letsPagesOfAllowedOriginsAsk() {
        Map<String, String> page = Map.of("Origin", TestGateway.ALLOWED_ORIGIN);
        HttpResponse<String> answer = gateway.send("GET", "/v3/batch/credits", TestGateway.KEY, null, page);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).contains(TestGateway.ALLOWED_ORIGIN);
        HttpResponse<String> preflight = gateway.send(
                "OPTIONS",
                REPORT,
                null,
                null,
                Map.of(
                        "Origin",
                        TestGateway.ALLOWED_ORIGIN,
                        "Access-Control-Request-Method",
                        "POST",
                        "Access-Control-Request-Headers",
                        "api-key,content-type"));
        assertThat(preflight.statusCode()).isEqualTo(200);
        assertThat(preflight.headers().firstValue("Access-Control-Allow-Headers"))
                .hasValueSatisfying(allowed -> assertThat(allowed).contains("api-key"));
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

    @Test
    void servesItsDocument() {
        assertThat(gateway.get("/openapi.json", null).body()).contains("\"/v3/batch/keywords/request-report\"");
        assertThat(gateway.get("/openapi.yaml", null).body()).contains("/v3/batch/keywords/request-report");
        assertThat(gateway.get("/docs", null).body()).contains("/docs/ui/swagger-ui-bundle.js");
        assertThat(gateway.get("/docs/ui/swagger-ui-bundle.js", null).statusCode())
                .isEqualTo(200);
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
        ledger.put(Topics.DATASET_EXAMPLES, "keywords", new DatasetExample("keywords", "v1", found));
        await().untilAsserted(() -> assertThat(
                        body(gateway.get("/openapi.json", null)).at(path).toString())
                .startsWith("{\"keywords\":[\"mill\"],\"countries\":[\"DE\"],\"metrics\":[\"all_keyword_cpc\"],"
                        + "\"start_date\":\"2026-09\",\"end_date\":\"2026-10\""));
        assertThat(gateway.get("/openapi.yaml", null).body()).contains("mill");
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
