package millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import millrace.contracts.Json;
import millrace.gateway.fuzz.RawConnection;
import millrace.gateway.fuzz.RawResponse;
import millrace.gateway.problems.ProblemCode;
import millrace.testing.TestKafka;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is sent, the answer is a 4xx with a sentence that helps, and nothing is appended to any topic. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputIT {
    private static final String REPORT = "/v3/batch/demographics/request-report";

    @TempDir
    static Path reports;

    private TestKafka kafka;
    private TestGateway gateway;
    private FakeProcessor ledger;
    private UUID foreign = new UUID(0, 0);
    private UUID open = new UUID(0, 0);
    private long appended;

    @BeforeAll
    void start() {
        kafka = TestKafka.withTopics(3);
        gateway = TestGateway.start(kafka.bootstrapServers(), reports);
        ledger = new FakeProcessor(kafka.bootstrapServers());
        ledger.balance("acme", 100_000_000, 0);
        foreign = UUID.randomUUID();
        open = UUID.randomUUID();
        ledger.status(FakeProcessor.rendering("acme", open, 1));
        ledger.status(FakeProcessor.rendering("other", foreign, 1));
        await().until(() -> gateway.get("/v3/batch/request-status/" + foreign, TestGateway.OTHER_KEY)
                        .statusCode()
                == 200);
        await().until(() -> !gateway.get("/v3/batch/credits").body().equals("{\"remaining_credits\":0,\"credits\":0}"));
        // The opening credits of each account.
        await().until(() ->
                ledger.commands().size() == TestGateway.accounts().accounts().size());
        await("its key for statements is announced")
                .until(() -> gateway.get("/.well-known/jwks.json", null).body().contains("\"kty\""));
    }

    @AfterAll
    void stop() {
        gateway.close();
        ledger.close();
        kafka.close();
    }

    @BeforeEach
    void counts() {
        appended = ledger.appended();
    }

    @AfterEach
    void nothingWasAppended() {
        assertThat(ledger.appended()).isEqualTo(appended);
    }

    /** Columns: code, what the sentences contain, dataset, body. */
    @ParameterizedTest(name = "[{index}] {0} {1}")
    @CsvFileSource(resources = "/bad-requests.txt", delimiter = '|', maxCharsPerColumn = 100_000, quoteCharacter = '~')
    void refusesARequest(int code, String sentence, String dataset, @Nullable String body) {
        String json = body == null ? "" : body;
        HttpResponse<String> answer = gateway.post("/v3/batch/" + dataset + "/request-report", json);
        refused(answer, code, sentence);
        if (code == 400) {
            HttpResponse<String> validation = gateway.post("/v3/batch/" + dataset + "/request-validate", json);
            assertThat(validation.statusCode()).isEqualTo(200);
            assertThat(validation.body()).contains("\"is_valid\":false");
        }
    }

    /** Columns: status and code, what the sentence contains, method, path, key (- for none), content type (- for none), body. */
    @ParameterizedTest(name = "[{index}] {0} {1}")
    @CsvFileSource(resources = "/bad-calls.txt", delimiter = '|', quoteCharacter = '~')
    void refusesACall(
            String code, String sentence, String method, String path, String key, String type, @Nullable String body) {
        HttpResponse<String> answer = gateway.send(
                method,
                path.replace("{foreign}", foreign.toString()),
                key.equals("-") ? null : key,
                body == null ? new byte[0] : body.replace("\\n", "\r\n").getBytes(StandardCharsets.UTF_8),
                type.equals("-") ? Map.of() : Map.of("Content-Type", type));
        String[] statusAndCode = code.split(" ", 2);
        refused(answer, Integer.parseInt(statusAndCode[0]), sentence);
        assertThat(problem(answer).path("code").asText()).isEqualTo(statusAndCode[1]);
    }

    @Test
    void refusesDeepJson() {
        refused(gateway.post(REPORT, "[".repeat(100_000)), 400, "JSON");
        refused(gateway.post(REPORT, "{\"filters\":".repeat(50_000)), 400, "JSON");
    }

    @Test
    void refusesAHugeBody() {
        byte[] body = new byte[64 << 20];
        java.util.Arrays.fill(body, (byte) ' ');
        refused(
                gateway.send("POST", REPORT, TestGateway.KEY, body, Map.of("Content-Type", "application/json")),
                413,
                "body");
    }

    /** Whose connection ends while it still sends gets no answer; so the gateway listens on, to a degree. */
    @ParameterizedTest
    @ValueSource(strings = {TestGateway.KEY, "nobody's"})
    void whoSendsEverythingBeforeReadingSeesTheRefusal(String key) throws IOException {
        byte[] chunk = new byte[1 << 20];
        java.util.Arrays.fill(chunk, (byte) ' ');
        int chunks = 64;
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.address().getPort())) {
            var head = "POST " + REPORT + " HTTP/1.1\r\nHost: a\r\napi-key: " + key
                    + "\r\nContent-Type: application/json\r\nContent-Length: " + chunks * chunk.length + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < chunks; i++) {
                socket.getOutputStream().write(chunk);
            }
            socket.shutdownOutput();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 " + (key.equals(TestGateway.KEY) ? 413 : 401));
        }
    }

    /** What would be taken for the next request must not be. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: a\nTransfer-Encoding: xchunked\n\n{chunk}0\n\n",
                "Host: a\nTransfer-Encoding: \"chunked\"\n\n{chunk}0\n\n",
                "Host: a\nTransfer-Encoding: chunked;x=y\n\n{chunk}0\n\n",
                "Host: a\nTransfer-Encoding: chunked\n\n{chunk}ZZ\n",
                "Host: a\nTransfer-Encoding: chunked\n\n{chunk}-1\n",
                "Host: a\nTransfer-Encoding: chunked\n\n{chunk}0{lf}{lf}",
                "Host: a\nTransfer-Encoding: chunked\nContent-Length: 5\n\n{chunk}0\n\n",
                "Host: a\nContent-Length: 5\nContent-Length: 6\n\n{}",
                "Host: a\nHost: a\nContent-Length: 0\n\n",
                "Content-Length: 0\n\n",
            })
    void closesAfterAMessageThatIsFramedWrongly(String rest) throws IOException {
        String chunk = Integer.toHexString(TestGateway.REQUEST.length()) + "\r\n" + TestGateway.REQUEST + "\r\n";
        for (String path : List.of(REPORT, "/v3/batch/cancel/" + open)) {
            try (var connection = new RawConnection(gateway.address(), Duration.ofSeconds(30))) {
                connection.send("POST " + path + " HTTP/1.1\r\napi-key: " + TestGateway.KEY
                        + "\r\nContent-Type: application/json\r\n"
                        + rest.replace("\n", "\r\n").replace("{lf}", "\n").replace("{chunk}", chunk)
                        + "GET /health/liveness HTTP/1.1\r\nHost: a\r\n\r\n");
                RawResponse answer = connection.answer(false).orElseThrow();
                assertThat(answer.status()).as(answer.text()).isEqualTo(400);
                assertThat(answer.mediaType()).isEqualTo("application/problem+json");
                assertThat(answer.text()).contains("\"code\":\"malformed_message\"", answer.header("X-Request-Id"));
                assertThat(answer.header("Connection")).isEqualToIgnoringCase("close");
                assertThat(connection.answer(false)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"GET, 414, request line", "HEAD, 414, ''", "POST, 431, headers", "HEAD, 431, ''"})
    void saysThatALineOrHeadersAreTooLong(String method, int code, String sentence) throws IOException {
        String much = "a".repeat(20_000);
        try (var connection = new RawConnection(gateway.address(), Duration.ofSeconds(30))) {
            connection.send(method + " /v3/batch/credits" + (code == 414 ? "?" + much : "") + " HTTP/1.1\r\nHost: a\r\n"
                    + (code == 431 ? "X-Large: " + much + "\r\n" : "") + "\r\n");
            RawResponse answer = connection.answer(method.equals("HEAD")).orElseThrow();
            assertThat(answer.status()).isEqualTo(code);
            assertThat(answer.text()).contains(sentence);
            assertThat(answer.header("X-Request-Id")).hasSize(32);
        }
    }

    /** Columns: code, what the sentence contains, coding, the body's beginning in hex. */
    @ParameterizedTest
    @CsvSource({
        "400, the body is not what gzip makes, gzip, 7b7d",
        "400, the body is not what gzip makes, gzip, ''",
        "400, the body is not what x-gzip makes, x-gzip, 1f8b0800000000000000abae05",
        "400, the body is not what gzip makes, gzip, 1f8b0800000000000000abae050043bfa6a402000000",
        "400, the body is not what deflate makes, deflate, 7b7d",
        "415, Content-Encoding: must be one of gzip, br, 7b7d",
        "415, Content-Encoding: must be one of gzip, zstd, 7b7d",
        "415, Content-Encoding: must be one of gzip, snappy, 7b7d",
        "415, Content-Encoding: must be one of gzip, 'gzip, gzip', 7b7d",
    })
    void refusesABodyThatIsNotPackedAsItSays(int code, String sentence, String coding, String hex) {
        for (String path : List.of(REPORT, "/v3/batch/webhooks/resend")) {
            HttpResponse<String> answer =
                    coded(path, TestGateway.KEY, coding, HexFormat.of().parseHex(hex));
            refused(answer, code, sentence);
            assertThat(answer.headers().firstValue("Accept-Encoding").isPresent())
                    .isEqualTo(code == 415);
        }
    }

    @Test
    void checksTheKeyAndTheSizeOfWhatIsPacked() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(" ".repeat(64 << 20).getBytes(StandardCharsets.US_ASCII));
        }
        refused(coded(REPORT, "nobody's", "gzip", packed.toByteArray()), 401, "api-key");
        refused(coded(REPORT, TestGateway.KEY, "gzip", packed.toByteArray()), 413, "The body is larger");
    }

    private HttpResponse<String> coded(String path, String key, String coding, byte[] body) {
        var headers = Map.of("Content-Type", "application/json", "Content-Encoding", coding);
        return gateway.send("POST", path, key, body, headers);
    }

    @Test
    void refusesPagesOfForeignOrigins() {
        for (String path : List.of("/v3/batch/credits", "/health/liveness", "/openapi.json")) {
            var foreign = Map.of("Origin", "https://evil.example");
            refused(gateway.send("GET", path, TestGateway.KEY, null, foreign), 403, "https://evil.example");
        }
    }

    /** Another program may take the other one: a proxy that counts, or a log. */
    @ParameterizedTest
    @CsvSource({
        "Idempotency-Key: a, Idempotency-Key: b, Idempotency-Key",
        "Api-Key: batch-key-of-other, X-Other: b, api-key",
        "api_key: batch-key-of-other, X-Other: b, api-key",
        "X-Request-Id: a, x-request-id: b, X-Request-Id",
        "Content-Type: text/plain, X-Other: b, Content-Type",
        "Idempotency-Key: a, Idempotency-Key: a, ''",
    })
    void refusesTwoDifferentValuesOfAHeader(String one, String other, String named) throws IOException {
        try (var connection = new RawConnection(gateway.address(), Duration.ofSeconds(30))) {
            connection.send("POST " + REPORT + " HTTP/1.1\r\nHost: a\r\napi-key: " + TestGateway.KEY
                    + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n" + one + "\r\n" + other
                    + "\r\n\r\n{}");
            RawResponse answer = connection.answer(false).orElseThrow();
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text())
                    .contains(named.isEmpty() ? "is missing" : named + ": is there several times")
                    .contains("\"code\":\"invalid_request\"");
        }
    }

    /** A key in two places. Another scheme of Authorization is for a proxy. */
    @ParameterizedTest
    @CsvSource({
        "POST, /mcp, Authorization, Bearer batch-key-of-other, Authorization: has another key",
        "POST, /mcp, Authorization, batch-key-of-other, Authorization: has another key",
        "POST, /mcp, Authorization, Bearer batch-key-of-acme, ''",
        "POST, /mcp, Authorization, Basic YTpi, ''",
    })
    void refusesTwoDifferentKeys(String method, String target, String header, String value, String sentence) {
        byte[] ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".getBytes(StandardCharsets.UTF_8);
        HttpResponse<String> answer = gateway.send(
                method,
                target,
                TestGateway.KEY,
                method.equals("POST") ? ping : null,
                Map.of("Content-Type", "application/json", header, value));
        if (sentence.isEmpty()) {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        } else {
            refused(answer, 400, sentence);
            assertThat(problem(answer).path("code").asText()).isEqualTo("invalid_request");
        }
    }

    /** Also of an answer that is no error, and of those of pages of the console. */
    @ParameterizedTest
    @CsvSource({
        "/v3/batch/credits, from-the_client.1, true",
        "/v3/batch/nothing, from-the_client.1, true",
        "/health/liveness, from-the_client.1, true",
        "/console/nothing, from-the_client.1, true",
        "/v3/batch/credits, '<script>', false",
        "/v3/batch/credits, a b, false",
        "/v3/batch/credits, '', false",
    })
    void callsARequestAsItsClientDoes(String path, String id, boolean taken) {
        HttpResponse<String> answer = gateway.send("GET", path, TestGateway.KEY, null, Map.of("X-Request-Id", id));
        List<String> called = answer.headers().allValues("X-Request-Id");
        if (taken) {
            assertThat(called).containsExactly(id);
        } else {
            assertThat(called).hasSize(1).first().asString().matches("[0-9a-f]{32}");
        }
        if (answer.statusCode() >= 400) {
            assertThat(problem(answer).path("request_id").asText()).isEqualTo(called.getFirst());
        }
    }

    /** They come with one read. The framework hands out none of their headers. */
    @Test
    void callsAMalformedRequestAsItsClientDoes() throws IOException {
        try (var connection = new RawConnection(gateway.address(), Duration.ofSeconds(30))) {
            List<String> ids = List.of("first.1", "", "third-3");
            connection.send(ids.stream()
                    .map(id -> "GET /%zz HTTP/1.1\r\nHost: a\r\nX-Request-Id: " + id + "\r\n\r\n")
                    .collect(Collectors.joining()));
            for (String id : ids) {
                RawResponse answer = connection.answer(false).orElseThrow();
                assertThat(answer.status()).isEqualTo(400);
                String called = answer.header("X-Request-Id");
                assertThat(called).matches(id.isEmpty() ? "[0-9a-f]{32}" : Pattern.quote(id));
                assertThat(Json.MAPPER
                                .readTree(answer.body())
                                .path("request_id")
                                .asText())
                        .isEqualTo(called);
            }
        }
    }

    @Test
    void refusesBytesThatAreNotText() {
        byte[] body = {'{', '"', (byte) 0xC3, (byte) 0x28, '"', ':', '1', '}'};
        refused(
                gateway.send("POST", REPORT, TestGateway.KEY, body, Map.of("Content-Type", "application/json")),
                400,
                "Invalid UTF-8");
    }

    @Test
    void refusesAnIdempotencyKeyThatIsTooLong() {
        HttpResponse<String> answer = gateway.send(
                "POST",
                REPORT,
                TestGateway.KEY,
                TestGateway.REQUEST.getBytes(StandardCharsets.UTF_8),
                Map.of("Content-Type", "application/json", "Idempotency-Key", "k".repeat(256)));
        refused(answer, 400, "Idempotency-Key");
    }

    @Test
    void givesUnknownAndSwitchedOffKeysTheSameAnswer() {
        JsonNode unknown = withoutId(gateway.get("/v3/batch/credits", "no-such-key"));
        assertThat(unknown.toString()).contains("api-key: must be a valid, active key.");
        assertThat(withoutId(gateway.get("/v3/batch/credits", TestGateway.OFF_KEY)))
                .isEqualTo(unknown);
    }

    @Test
    void saysThatTheHeaderOfTheKeyIsMissing() {
        var bearer = Map.of("Authorization", "Bearer " + TestGateway.KEY);
        refused(gateway.send("GET", "/v3/batch/credits", null, null, bearer), 401, "api-key: the header is missing");
    }

    private static void refused(HttpResponse<String> answer, int code, String sentence) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        JsonNode problem = problem(answer);
        assertThat(problem.path("status").asInt()).isEqualTo(code);
        assertThat(problem.path("code").asText()).isIn(ProblemCode.words());
        assertThat(ProblemCode.valueOf(problem.path("code").asText().toUpperCase(Locale.ROOT))
                        .status())
                .isEqualTo(code);
        assertThat(problem.path("request_id").asText()).matches("[0-9a-f]{32}");
        assertThat(answer.headers().allValues("X-Request-Id"))
                .containsExactly(problem.path("request_id").asText());
        assertThat(problem.path("title").asText()).isNotEmpty();
        assertThat(problem.path("errors")).isNotEmpty();
        assertThat(problem.path("errors").toString()).contains(sentence);
    }

    private static JsonNode withoutId(HttpResponse<String> answer) {
        return ((ObjectNode) problem(answer)).without("request_id");
    }

    private static JsonNode problem(HttpResponse<String> answer) {
        try {
            return Json.MAPPER.readTree(answer.body());
        } catch (IOException e) {
            throw new AssertionError("not JSON: " + answer.body(), e);
        }
    }
}
