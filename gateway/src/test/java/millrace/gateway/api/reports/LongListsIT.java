package millrace.gateway.api.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.ReportQuery;
import millrace.gateway.FakeProcessor;
import millrace.gateway.TestGateway;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lists of entities and of filter values that are too long for a record: they lie in the report store before the command that
 * names them is appended.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LongListsIT {
    private static final String REPORT = "/v3/batch/demographics/request-report";
    private static final String QUERY = "/v3/batch/request-query/";
    private static final int COUNT = 60_000;

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
        ledger.balance("acme", 1_000_000_000, 0);
        await().until(() -> gateway.get("/v3/batch/credits").body().contains("1000000000"));
    }

    @AfterAll
    void stop() {
        gateway.close();
        ledger.close();
        kafka.close();
    }

    @Test
    void liesInTheStoreAndComesBackWhole() throws IOException {
        HttpResponse<String> accepted = gateway.post(REPORT, body(COUNT));
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(200);
        String id = json(accepted).path("report_id").asText();
        RequestReport command = command(id);
        EntityList list = command.request().query().entityList();
        assertThat(list).isNotNull();
        assertThat(command.request().query().entities()).hasSize(EntityList.SHOWN);

        Path file = reports.resolve(EntityList.fileName("acme", command.reportId()));
        List<String> sorted = domains(COUNT).sorted().toList();
        assertThat(Files.readAllLines(file)).isEqualTo(sorted);
        assertThat(list).isNotNull().satisfies(l -> {
            assertThat(l.sha256()).isEqualTo(Hashes.sha256(Files.readAllBytes(file)));
            assertThat(l.sha256()).isEqualTo(Hashes.sha256Lines(sorted));
            assertThat(l.bytes()).isEqualTo(Files.size(file));
        });

        HttpResponse<String> query = gateway.get(QUERY + id);
        assertThat(query.statusCode()).isEqualTo(200);
        assertThat(query.headers().firstValue("Content-Type")).contains("application/json");
        JsonNode request = json(query);
        assertThat(request.path("dataset").asText()).isEqualTo("demographics");
        assertThat(request.path("granularity").asText()).isEqualTo("monthly");
        assertThat(Json.MAPPER.convertValue(request.path("domains"), String[].class))
                .containsExactlyElementsOf(sorted);
    }

    @Test
    void filterValuesLieInTheStoreToo() throws IOException {
        List<String> keywords =
                domains(80_000).map(d -> d.replace('-', ' ')).distinct().toList();
        HttpResponse<String> accepted =
                gateway.post("/v3/batch/site_keywords/request-report", """
                {"domains":["a.com"],"keywords":%s,"countries":["US"],"metrics":["desktop_keywords_total_visits"],
                 "start_date":"2025-01-06","end_date":"2025-01-06","granularity":"weekly"}""".formatted(Json.text(keywords)));
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(200);
        String id = json(accepted).path("report_id").asText();
        RequestReport command = command(id);
        ReportQuery query = command.request().query();
        List<String> sorted = keywords.stream().sorted().toList();
        assertThat(query.filters()).containsExactly(Map.entry("keyword", sorted.subList(0, EntityList.SHOWN)));
        assertThat(query.filterCount("keyword")).isEqualTo(sorted.size());
        assertThat(command.quote().rows()).isEqualTo(sorted.size());
        Path file = reports.resolve(FilterList.fileName("acme", command.reportId(), "keyword"));
        assertThat(Files.readAllLines(file)).isEqualTo(sorted);
        assertThat(query.filterList("keyword"))
                .isEqualTo(new FilterList(sorted.size(), Files.size(file), Hashes.sha256(Files.readAllBytes(file))));

        JsonNode request = json(gateway.get(QUERY + id));
        assertThat(request.path("domains").size()).isOne();
        assertThat(request.path("granularity").asText()).isEqualTo("weekly");
        assertThat(Json.MAPPER.convertValue(request.path("keywords"), String[].class))
                .containsExactlyElementsOf(sorted);
    }

    @Test
    void integersComeBackAsIntegers() throws IOException {
        String both = body(COUNT)
                .replace(
                        "\"demographics_share\",\"demographics_bounce_rate\"",
                        "\"category_sales_performance_product_views\"")
                .replace(
                        "\"granularity\"",
                        "\"limit\":100,\"category_ids\":"
                                + Json.text(IntStream.range(0, 20_000).toArray()) + ",\"granularity\"");
        HttpResponse<String> accepted = gateway.post("/v3/batch/traffic_and_engagement/request-report", both);
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(200);
        JsonNode request =
                json(gateway.get(QUERY + json(accepted).path("report_id").asText()));
        assertThat(request.path("domains").size()).isEqualTo(COUNT);
        assertThat(Json.MAPPER.convertValue(request.path("category_ids"), int[].class))
                .containsExactlyInAnyOrder(IntStream.range(0, 20_000).toArray());
    }

    @Test
    void comesAsAFormToo() {
        String form = "--x\r\nContent-Disposition: form-data; name=\"request\"; filename=\"r.json\"\r\n"
                + "Content-Type: application/json\r\n\r\n" + body(COUNT) + "\r\n--x--\r\n";
        HttpResponse<String> answer = gateway.send(
                "POST",
                REPORT,
                TestGateway.KEY,
                form.getBytes(StandardCharsets.UTF_8),
                Map.of("Content-Type", "multipart/form-data; boundary=x"));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(command(json(answer).path("report_id").asText())
                        .request()
                        .query()
                        .entityCount())
                .isEqualTo(COUNT);
    }

    /** However many cores there are. What they have sent is checked already when they wait. */
    @Test
    void clientsThatSendSlowlyHoldNobodyUp() throws IOException {
        byte[] body = body(COUNT).getBytes(StandardCharsets.UTF_8);
        byte[] head = ("POST " + REPORT + " HTTP/1.1\r\nHost: a\r\napi-key: " + TestGateway.KEY
                        + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " + body.length
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i <= Runtime.getRuntime().availableProcessors(); i++) {
                slow.add(new Socket(
                        InetAddress.getLoopbackAddress(), gateway.address().getPort()));
                slow.getLast().getOutputStream().write(head);
                slow.getLast().getOutputStream().write(body, 0, body.length / 2);
            }
            assertThat(gateway.post(REPORT, body(COUNT)).statusCode()).isEqualTo(200);
            slow.removeLast().close();
            for (Socket socket : slow) {
                socket.getOutputStream().write(body, body.length / 2, body.length - body.length / 2);
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 200 ");
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void isKnownAgainByItsIdempotencyKey() {
        HttpResponse<String> first = keyed(body(COUNT));
        HttpResponse<String> again = keyed(body(COUNT));
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(keyed(body(COUNT - 1)).statusCode()).isEqualTo(409);
    }

    @Test
    void leavesNothingBehindWhereItIsRefused() throws IOException {
        long before = files();
        HttpResponse<String> answer = gateway.post(REPORT, body(COUNT).replace("monthly", "hourly"));
        assertThat(answer.statusCode()).isEqualTo(400);
        HttpResponse<String> validation = gateway.post("/v3/batch/demographics/request-validate", body(COUNT));
        assertThat(validation.body()).contains("\"is_valid\":true");
        assertThat(files()).isEqualTo(before);
    }

    private HttpResponse<String> keyed(String body) {
        return gateway.send(
                "POST",
                REPORT,
                TestGateway.KEY,
                body.getBytes(StandardCharsets.UTF_8),
                Map.of("Content-Type", "application/json", "Idempotency-Key", "one"));
    }

    private RequestReport command(String id) {
        return ledger.commands().stream()
                .filter(RequestReport.class::isInstance)
                .map(RequestReport.class::cast)
                .filter(r -> r.reportId().toString().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static String body(int count) {
        return TestGateway.REQUEST.replace(
                "\"example.com\",\"example.org\"",
                domains(count).map(d -> '"' + d + '"').collect(Collectors.joining(",")));
    }

    private static java.util.stream.Stream<String> domains(int count) {
        return IntStream.range(0, count).mapToObj(i -> "domain-number-" + (i * 7_919L % COUNT) + ".example");
    }

    private static long files() throws IOException {
        try (var files = Files.walk(reports)) {
            return files.filter(Files::isRegularFile).count();
        }
    }

    private static JsonNode json(HttpResponse<String> answer) {
        try {
            return Json.MAPPER.readTree(answer.body());
        } catch (IOException e) {
            throw new AssertionError("not JSON: " + answer.body(), e);
        }
    }
}
