package millrace.gateway.api.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import millrace.contracts.Json;
import millrace.contracts.accounts.VersionPrice;
import millrace.contracts.commands.AccountCommand.CancelReport;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.topics.Topics;
import millrace.files.disk.DiskReportStore;
import millrace.files.store.ReportFileWriter;
import millrace.gateway.FakeProcessor;
import millrace.gateway.TestGateway;
import millrace.gateway.api.datasets.TestDictionaries;
import millrace.gateway.fuzz.RawConnection;
import millrace.gateway.fuzz.RawResponse;
import millrace.testing.TestKafka;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What an agent does, with the client of the protocol's own library, and what it is told when it does something else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentsIT {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    /** Of two domains, two countries, two months and two metrics, for each age group and gender: 192 credits. */
    private static final Map<String, Object> REQUEST = Map.of(
            "dataset",
            "demographics",
            "domains",
            List.of("example.com", "example.org"),
            "countries",
            List.of("US", "GB"),
            "metrics",
            List.of("demographics_share", "demographics_bounce_rate"),
            "start_date",
            "2025-01",
            "end_date",
            "2025-02",
            "granularity",
            "monthly");

    @TempDir
    static Path reports;

    private TestKafka kafka;
    private TestGateway gateway;
    private FakeProcessor ledger;
    private ExecutorService background;
    private McpSyncClient agent;
    private final Map<String, Map<String, Object>> outputs = new HashMap<>();

    @BeforeAll
    void start() throws IOException {
        kafka = TestKafka.withTopics(3);
        gateway = TestGateway.start(kafka.bootstrapServers(), reports);
        ledger = new FakeProcessor(kafka.bootstrapServers());
        background = Executors.newVirtualThreadPerTaskExecutor();
        ledger.balance("acme", 100_000, 0);
        ledger.balance("slow", 100_000, 0);
        var months = new DatasetFacts.Span(LocalDate.parse("2025-01-01"), LocalDate.parse("2025-02-01"));
        ledger.put(
                Topics.DATASET_EXAMPLES,
                "demographics",
                TestDictionaries.write(
                        new DiskReportStore(reports, false),
                        "demographics",
                        "v1",
                        List.of("example.com", "example.net", "example.org"),
                        Map.of("monthly", months)));
        await().until(() ->
                gateway.get("/v3/batch/tables/demographics/entities").statusCode() == 200);
        await().until(() -> gateway.get("/v3/batch/credits").body().contains("100000"));
        agent = agent(TestGateway.KEY);
        agent.initialize();
        agent.listTools()
                .tools()
                .forEach(tool -> outputs.put(tool.name(), Objects.requireNonNull(tool.outputSchema())));
    }

    @AfterAll
    void stop() {
        agent.close();
        background.shutdown();
        gateway.close();
        ledger.close();
        kafka.close();
    }

    private McpSyncClient agent(@Nullable String key) {
        HttpRequest.Builder requests = HttpRequest.newBuilder();
        if (key != null) {
            requests.header("Authorization", "Bearer " + key);
        }
        var transport = HttpClientStreamableHttpTransport.builder(
                        gateway.address().toString())
                .requestBuilder(requests)
                .jsonMapper(new JacksonMcpJsonMapper(new JsonMapper()))
                .build();
        return McpClient.sync(transport)
                .requestTimeout(Duration.ofSeconds(30))
                .jsonSchemaValidator((schema, content) -> JsonSchemaValidator.ValidationResponse.asValid(null))
                .build();
    }

    @Test
    void tellsWhatItIsAndWhatItHas() {
        assertThat(agent.getServerInfo().name()).isEqualTo("millrace");
        assertThat(agent.getServerInstructions()).contains("quote_report", "credits");
        assertThat(outputs)
                .containsOnlyKeys(
                        "list_datasets",
                        "find_entities",
                        "quote_report",
                        "request_report",
                        "report_status",
                        "preview_report",
                        "credits",
                        "cancel_report");
        assertThat(agent.listTools().tools()).allSatisfy(tool -> {
            boolean changes = List.of("request_report", "cancel_report").contains(tool.name());
            assertThat(tool.annotations().readOnlyHint()).as(tool.name()).isEqualTo(!changes);
        });
        assertThat(agent.listResources().resources())
                .extracting(McpSchema.Resource::uri)
                .contains("millrace://docs/requests", "millrace://docs/agents");
        var guide =
                McpSchema.ReadResourceRequest.builder("millrace://docs/agents").build();
        assertThat(agent.readResource(guide).contents())
                .singleElement()
                .isInstanceOfSatisfying(
                        TextResourceContents.class,
                        text -> assertThat(text.text()).startsWith("# ").contains("request_report"));
        assertThat(agent.ping()).isNotNull();
    }

    @Test
    void goesFromTheDatasetsToTheRows() throws IOException {
        JsonNode datasets = called("list_datasets", Map.of()).path("datasets");
        assertThat(datasets.findValuesAsText("table")).contains("demographics", "keywords");
        JsonNode found = called("find_entities", Map.of("dataset", "demographics", "prefix", "example.", "limit", 2));
        assertThat(found).isEqualTo(json("{\"entities\":[\"example.com\",\"example.net\"],\"more\":true}"));
        JsonNode quoted = called("quote_report", REQUEST);
        assertThat(quoted.path("estimated_credits").asLong()).isEqualTo(192);
        String token = quoted.at("/quote/token").asText();

        JsonNode asked = called("request_report", with(REQUEST, "quote", token, "wait", 0));
        assertThat(asked.path("status").asText()).isEqualTo("processing");
        UUID report = UUID.fromString(asked.path("report_id").asText());
        assertThat(called("request_report", with(REQUEST, "quote", token, "wait", 0))
                        .path("report_id")
                        .asText())
                .as("a quote makes one report")
                .isEqualTo(report.toString());
        assertThat(requests().filter(request -> request.reportId().equals(report)))
                .singleElement()
                .satisfies(request -> assertThat(request.versionPrice()).isEqualTo(new VersionPrice("v1", 192, true)));
        assertThat(called("credits", Map.of()).path("remaining_credits").asLong())
                .isLessThanOrEqualTo(100_000 - 192);
        assertThat(refused("preview_report", Map.of("report_id", report.toString()))
                        .path("code")
                        .asText())
                .isEqualTo("report_not_complete");

        var waiting = inBackground("report_status", Map.of("report_id", report.toString(), "wait", 20));
        complete(report);
        JsonNode status = waiting.join();
        assertThat(status.path("status").asText()).isEqualTo("complete");
        assertThat(status.path("download_url").asText()).startsWith("http");
        CallToolResult preview = call("preview_report", Map.of("report_id", report.toString(), "rows", 1));
        assertThat(checked("preview_report", preview).path("row_count").asLong())
                .isEqualTo(2);
        assertThat(text(preview)).contains("\"rows\":[[\"example.com\",\"US\",0.10000000000000000001]]");
    }

    @Test
    void waitsForTheEndOfWhatItAsksFor() throws IOException {
        Map<String, Object> request = with(REQUEST, "end_date", "2025-01");
        String token = called("quote_report", request).at("/quote/token").asText();
        var waiting = inBackground("request_report", with(request, "quote", token, "wait", 20));
        UUID report = await().until(
                        () -> requests()
                                .filter(asked ->
                                        asked.request().query().dates().last().getMonthValue() == 1)
                                .map(RequestReport::reportId)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
        complete(report);
        JsonNode status = waiting.join();
        assertThat(status.path("report_id").asText()).isEqualTo(report.toString());
        assertThat(status.path("status").asText()).isEqualTo("complete");
    }

    @Test
    void cancels() {
        UUID report = UUID.randomUUID();
        ledger.status(FakeProcessor.open("acme", report));
        await().until(() ->
                !call("report_status", Map.of("report_id", report.toString())).isError());
        var waiting = inBackground("cancel_report", Map.of("report_id", report.toString()));
        await().until(() -> ledger.commands().contains(new CancelReport(report)));
        ledger.status(FakeProcessor.ended("acme", report));
        assertThat(waiting.join().path("status").asText()).isEqualTo("internal_error");
        assertThat(refused("cancel_report", Map.of("report_id", report.toString()))
                        .path("code")
                        .asText())
                .isEqualTo("report_ended");
    }

    @Test
    void asksForNothingWithoutAQuoteOfThisRequest() throws IOException {
        JsonNode missing = refused("request_report", REQUEST);
        assertThat(missing.path("code").asText()).isEqualTo("invalid_request");
        assertThat(missing.path("errors").path(0).asText()).startsWith("quote: is required");
        assertThat(missing.path("request_id").asText()).isNotEmpty();
        assertThat(refused("request_report", with(REQUEST, "quote", "made-up"))
                        .path("code")
                        .asText())
                .isEqualTo("quote_mismatch");
        Map<String, Object> other = with(REQUEST, "countries", List.of("US"));
        String token = called("quote_report", other).at("/quote/token").asText();
        assertThat(refused("request_report", with(REQUEST, "quote", token))
                        .path("code")
                        .asText())
                .isEqualTo("quote_mismatch");
        UUID report = UUID.fromString(called("request_report", with(other, "quote", token, "wait", 0))
                .path("report_id")
                .asText());
        JsonNode used = refused("request_report", with(REQUEST, "quote", token));
        assertThat(used.path("code").asText()).isEqualTo("quote_mismatch");
        assertThat(used.path("errors").path(0).asText()).startsWith("quote: it has made another report");
        assertThat(requests().filter(request -> request.reportId().equals(report)))
                .hasSize(1);
    }

    @Test
    void saysAllThatIsWrongWithACall() throws IOException {
        JsonNode request =
                refused("quote_report", with(REQUEST, "metrics", List.of("no_such"), "contries", List.of("US")));
        assertThat(request.path("code").asText()).isEqualTo("invalid_request");
        assertThat(request.path("errors").toString()).contains("no_such", "contries", "countries");
        assertThat(refused("quote_report", with(REQUEST, "dataset", "none"))
                        .path("code")
                        .asText())
                .isEqualTo("dataset_not_found");
        JsonNode arguments = refused("find_entities", Map.of("limit", 101, "starts", "x"));
        assertThat(arguments.path("errors").toString())
                .contains(
                        "dataset: is required",
                        "limit: must be a whole number from 1 to 100",
                        "starts: is not a field");
        assertThat(refused(
                                "report_status",
                                Map.of("report_id", UUID.randomUUID().toString()))
                        .path("code")
                        .asText())
                .isEqualTo("report_not_found");
        assertThat(refused("preview_report", Map.of("report_id", "x", "rows", 101))
                        .path("code")
                        .asText())
                .isEqualTo("invalid_request");
        assertThatThrownBy(() -> call("no_such_tool", Map.of())).isInstanceOfSatisfying(McpError.class, e -> assertThat(
                        e.getJsonRpcError().code())
                .isEqualTo(McpSchema.ErrorCodes.INVALID_PARAMS));
        assertThat(body("{\"jsonrpc\":\"2.0\",\"id\":\"\\ud800\",\"method\":\"tools/call\",\"params\":{\"name\":{}}}"))
                .isEqualTo(json(
                        "{\"jsonrpc\":\"2.0\",\"id\":\"?\",\"error\":{\"code\":-32602,\"message\":\"params: must be what"
                                + " tools/call takes.\"}}"));
        assertThat(body("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":[1]}")
                        .at("/error/code")
                        .asInt())
                .isEqualTo(McpSchema.ErrorCodes.INVALID_PARAMS);
        assertThat(body("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":{\"capabilities\":1}}")
                        .toString())
                .contains("params: must be what initialize takes.")
                .doesNotContain("modelcontextprotocol");
        String latin = "{\"jsonrpc\":\"2.0\",\"id\":\"\u00e9\",\"method\":\"ping\"}";
        HttpResponse<String> noText = post(latin.getBytes(StandardCharsets.ISO_8859_1), Map.of());
        assertThat(noText.statusCode()).isEqualTo(400);
        assertThat(noText.body()).contains("\"code\":\"invalid_request\"", "The body must be text in UTF-8.");
        assertThat(body(latin).path("id").asText()).isEqualTo("\u00e9");
    }

    @Test
    void anArgumentThatIsNullIsNotThere() throws IOException {
        Map<String, Object> arguments = new HashMap<>(Map.of("dataset", "demographics"));
        arguments.put("prefix", null);
        arguments.put("limit", null);
        assertThat(called("find_entities", arguments).path("entities")).hasSize(3);
    }

    @Test
    void aKeyThatOnlyReadsAsksForNothing() throws IOException {
        McpSyncClient reader = agent(TestGateway.READING_KEY);
        reader.initialize();
        String token = checked("quote_report", reader.callTool(asked("quote_report", REQUEST)))
                .at("/quote/token")
                .asText();
        for (var call : Map.of(
                        "request_report",
                        with(REQUEST, "quote", token),
                        "cancel_report",
                        Map.<String, Object>of("report_id", UUID.randomUUID().toString()))
                .entrySet()) {
            JsonNode problem = problem(reader.callTool(asked(call.getKey(), call.getValue())));
            assertThat(problem.path("code").asText()).isEqualTo("scope_missing");
            assertThat(problem.path("errors").path(0).asText()).contains("scope request");
        }
        reader.close();
    }

    @Test
    void nobodyIsLetInWithoutAKey() {
        for (McpSyncClient stranger : List.of(agent(null), agent("no-such-key"))) {
            assertThatThrownBy(stranger::initialize).hasStackTraceContaining("AuthorizationException");
            stranger.close();
        }
        HttpResponse<String> refused =
                gateway.send("POST", "/mcp", null, bytes(PING), Map.of("Content-Type", "application/json"));
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    }

    /** The account may read 40 times a second and submit twice. */
    @Test
    void aLoopMeetsTheAccountsRates() {
        McpSyncClient loop = agent(TestGateway.SLOW_KEY);
        loop.initialize();
        var cancel =
                asked("cancel_report", Map.of("report_id", UUID.randomUUID().toString()));
        await().until(() -> problem(loop.callTool(cancel)).path("code").asText().equals("rate_limited"));
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 2_000; i++) {
                        loop.callTool(asked("credits", Map.of()));
                    }
                })
                .hasStackTraceContaining("429");
        loop.close();
    }

    @Test
    void refusesPagesAndVersionsThatItDoesNotKnow() {
        assertThat(ping(Map.of("Origin", "http://other.example")).statusCode()).isEqualTo(403);
        assertThat(ping(Map.of("Origin", TestGateway.ALLOWED_ORIGIN)).statusCode())
                .isEqualTo(200);
        HttpResponse<String> version = ping(Map.of("MCP-Protocol-Version", "1999-01-01"));
        assertThat(version.statusCode()).isEqualTo(400);
        assertThat(version.body()).contains("MCP-Protocol-Version: must be one of", "2025-11-25");
        assertThat(ping(Map.of("MCP-Protocol-Version", "2025-06-18")).statusCode())
                .isEqualTo(200);
        HttpResponse<String> newer = post(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2099-01-01\","
                        + "\"capabilities\":{},\"clientInfo\":{\"name\":\"x\",\"version\":\"1\"}}}",
                Map.of("MCP-Protocol-Version", "2099-01-01"));
        assertThat(newer.statusCode()).as("it is offered another version").isEqualTo(200);
        assertThat(newer.body()).contains("\"protocolVersion\":\"2025-11-25\"");
    }

    /** The name of its host leads here by now, which the framework does not notice. */
    @Test
    void refusesAPageThatHasReboundItsName() throws IOException {
        String head = "POST /mcp HTTP/1.1\r\nHost: rebound.example:8080\r\nOrigin: http://rebound.example:8080\r\n"
                + "Authorization: Bearer " + TestGateway.KEY + "\r\nContent-Type: application/json\r\n"
                + "Content-Length: " + PING.length() + "\r\n\r\n";
        try (var connection = new RawConnection(gateway.address(), Duration.ofSeconds(10))) {
            connection.send(bytes(head + PING));
            RawResponse answer = connection.answer(false).orElseThrow();
            assertThat(answer.status()).isEqualTo(403);
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("origin_not_allowed");
        }
    }

    @Test
    void isStatelessAndBounded() {
        HttpResponse<String> pong = ping(Map.of());
        assertThat(pong.body()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        assertThat(pong.headers().firstValue("Mcp-Session-Id")).isEmpty();
        assertThat(pong.headers().firstValue("Cache-Control")).contains("no-store");
        HttpResponse<String> heard = post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}", Map.of());
        assertThat(heard.statusCode()).isEqualTo(202);
        assertThat(heard.body()).isEmpty();
        for (int size : new int[] {(64 << 10) + 1, 3 << 20}) {
            HttpResponse<String> large = post(PING + " ".repeat(size - PING.length()), Map.of());
            assertThat(large.statusCode()).isEqualTo(413);
            assertThat(large.body()).contains("body_too_large", "65536");
        }
        assertThat(post(PING + " ".repeat((64 << 10) - PING.length()), Map.of()).statusCode())
                .isEqualTo(200);
        for (String method : List.of("GET", "DELETE")) {
            HttpResponse<String> other =
                    gateway.send(method, "/mcp", TestGateway.KEY, null, Map.of("Accept", "text/event-stream"));
            assertThat(other.statusCode()).isEqualTo(405);
            assertThat(other.headers().firstValue("Allow")).contains("POST");
        }
    }

    private HttpResponse<String> ping(Map<String, String> headers) {
        return post(PING, headers);
    }

    private HttpResponse<String> post(String body, Map<String, String> headers) {
        return post(bytes(body), headers);
    }

    private HttpResponse<String> post(byte[] body, Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.put("Authorization", "Bearer " + TestGateway.KEY);
        all.put("Content-Type", "application/json");
        return gateway.send("POST", "/mcp", null, body, all);
    }

    private JsonNode body(String message) throws IOException {
        HttpResponse<String> answer = post(message, Map.of());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer.body());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static JsonNode json(String text) throws IOException {
        return Json.MAPPER.readTree(text);
    }

    private static CallToolRequest asked(String tool, Map<String, Object> arguments) {
        return CallToolRequest.builder(tool).arguments(arguments).build();
    }

    private CallToolResult call(String tool, Map<String, Object> arguments) {
        return agent.callTool(asked(tool, arguments));
    }

    private JsonNode called(String tool, Map<String, Object> arguments) throws IOException {
        return checked(tool, call(tool, arguments));
    }

    private CompletableFuture<JsonNode> inBackground(String tool, Map<String, Object> arguments) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return called(tool, arguments);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                background);
    }

    /** What a tool has answered: as text, and of the schema that it has declared. */
    private JsonNode checked(String tool, CallToolResult result) throws IOException {
        assertThat(result.isError()).as("%s", result.content()).isFalse();
        JsonNode text = json(text(result));
        JsonNode structured = Json.MAPPER.valueToTree(result.structuredContent());
        // Digits beyond a double's are in the text alone.
        assertThat(structured.size()).isEqualTo(text.size());
        assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(Json.MAPPER.<JsonNode>valueToTree(outputs.get(tool)))
                        .validate(structured))
                .as("%s", text)
                .isEmpty();
        return text;
    }

    private JsonNode refused(String tool, Map<String, Object> arguments) {
        return problem(call(tool, arguments));
    }

    private static JsonNode problem(CallToolResult result) {
        assertThat(result.isError()).as("%s", result.content()).isTrue();
        assertThat(result.structuredContent()).isNull();
        try {
            return json(text(result));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(CallToolResult result) {
        return ((TextContent) result.content().getFirst()).text();
    }

    private static Map<String, Object> with(Map<String, Object> request, Object... more) {
        Map<String, Object> all = new HashMap<>(request);
        for (int i = 0; i < more.length; i += 2) {
            all.put((String) more[i], more[i + 1]);
        }
        return all;
    }

    private Stream<RequestReport> requests() {
        return ledger.commands().stream()
                .filter(RequestReport.class::isInstance)
                .map(RequestReport.class::cast);
    }

    private void complete(UUID report) throws IOException {
        String content =
                "domain,country,demographics_share\r\nexample.com,US,0.10000000000000000001\r\nexample.org,US,\r\n";
        StoredFile file;
        try (ReportFileWriter writer = new DiskReportStore(reports, false).create("a/" + report + ".csv")) {
            writer.write(bytes(content));
            file = writer.commit();
        }
        var result = new ReportStatus.Result(
                new ResultCounts(2, 1, 0), 1, file, Instant.now().plusSeconds(9_999));
        ledger.status(FakeProcessor.complete("acme", report, 2, result));
    }
}
