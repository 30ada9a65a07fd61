package millrace.e2e.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.requests.EntityList;
import millrace.contracts.topics.Topics;
import millrace.e2e.client.CommittedTopicReader;
import millrace.e2e.data.OperatorDataFolder;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MainProcess;
import millrace.e2e.process.ServiceProcesses;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request of a million domains to services with small heaps. */
@Tag("thorough") // a million entities
class MillionDomainsIT {
    private static final int MILLION = 1_000_000;
    /** Number of domains that the table has, see {@link OperatorDataFolder}. */
    private static final int KNOWN = 2_000;

    private static final String REPORT = "/v3/batch/demographics/request-report";
    private static final String VALIDATE = "/v3/batch/demographics/request-validate";
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final HttpClient http = HttpClient.newHttpClient();
    private ServiceProcesses services;

    @BeforeEach
    void open(@TempDir Path data) throws Exception {
        services = ServiceProcesses.over(OperatorDataFolder.create(data, Map.of("acme", 10_000_000L)), "acme");
    }

    @AfterEach
    void close() {
        services.close();
    }

    @Test
    void isAcceptedRenderedAndGivenBackInBoundedMemory() throws Exception {
        MainProcess gateway = services.gateway("gateway-1", "-Xmx256m");
        BatchApiClient api = services.api(gateway);
        byte[] body = body();
        assertThat(body.length).isGreaterThan(15_000_000);

        severalAtOnce(api, body);
        HttpResponse<String> accepted = post(api, REPORT, body);
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(OK);
        assertThat(post(api, REPORT, body).headers().firstValue("Idempotent-Replayed"))
                .contains("true");
        String id = accepted.body().replaceAll(".*\"report_id\":\"([^\"]+)\".*", "$1");
        assertThat(api.status(id).text("phase")).isEqualTo("queued");

        MainProcess processor = services.processor(
                "processor-1",
                ServiceProcesses.address(gateway),
                "-Xmx512m",
                "--processor.duckdb.memory-limit=512MB",
                "--processor.slice.entities=4000");
        BatchApiClient.Answer ended = api.ended(id, TIMEOUT);
        assertThat(ended.text("status")).as("%s", ended.body()).isEqualTo("complete");
        assertThat(ended.body().path("row_count").asInt()).isEqualTo(KNOWN);
        List<String> rows = api.download(ended).lines().skip(1).toList();
        assertThat(rows.stream().map(row -> row.substring(0, row.indexOf(','))))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, KNOWN)
                        .mapToObj(MillionDomainsIT::domain)
                        .sorted()
                        .toList());

        givesTheRequestBack(api, id);
        for (ReportEvent event : CommittedTopicReader.read(services.bootstrapServers(), Topics.REPORT_EVENTS)) {
            assertThat(event.query().entityCount()).isEqualTo(MILLION);
            assertThat(event.query().entities()).hasSize(EntityList.SHOWN);
        }
        for (MainProcess program : List.of(gateway, processor)) {
            assertThat(program.output()).doesNotContain("OutOfMemory");
        }
        System.out.printf(
                "peak memory: gateway %d MB, processor %d MB%n",
                gateway.peakMemory() >> 20, processor.peakMemory() >> 20);
    }

    /** Sends several requests at once; some may be asked to retry. */
    private void severalAtOnce(BatchApiClient api, byte[] body) {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            answers.add(http.sendAsync(request(api, VALIDATE, body), HttpResponse.BodyHandlers.ofString()));
        }
        List<HttpResponse<String>> all =
                answers.stream().map(CompletableFuture::join).toList();
        assertThat(all).allSatisfy(a -> assertThat(a.statusCode()).isIn(OK, UNAVAILABLE));
        assertThat(all).anySatisfy(a -> assertThat(a.body()).contains("\"is_valid\":true"));
        assertThat(all).filteredOn(a -> a.statusCode() == UNAVAILABLE).allSatisfy(a -> assertThat(
                        a.headers().firstValue("Retry-After"))
                .isPresent());
    }

    private void givesTheRequestBack(BatchApiClient api, String id) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(api.address() + "/v3/batch/request-query/" + id))
                .header("api-key", api.key())
                .build();
        String whole = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        String domains = whole.substring(whole.indexOf('[') + 1, whole.indexOf(']'));
        assertThat(domains.split(",", -1)).hasSize(MILLION);
        assertThat(domains).startsWith("\"d1.example\",\"d10.example\",\"d100.example\"");
        assertThat(whole).endsWith("}").contains("\"granularity\":\"monthly\"");
    }

    private HttpResponse<String> post(BatchApiClient api, String path, byte[] body)
            throws IOException, InterruptedException {
        return http.send(request(api, path, body), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest request(BatchApiClient api, String path, byte[] body) {
        return HttpRequest.newBuilder(URI.create(api.address() + path))
                .header("api-key", api.key())
                .header("content-type", "application/json")
                .header("Idempotency-Key", "million")
                .timeout(TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
    }

    /** A body with the domains in random order; each known domain has one row. */
    private static byte[] body() {
        String domains = IntStream.range(0, MILLION)
                .mapToObj(i -> '"' + domain((int) (i * 7_919L % MILLION) + 1) + '"')
                .collect(Collectors.joining(","));
        return """
                {"domains":[%s],"countries":["US"],"metrics":["demographics_share"],"age_group":["18-24"],
                 "genders":["Female"],"start_date":"2026-01","end_date":"2026-01","granularity":"monthly"}""".formatted(domains).getBytes(StandardCharsets.US_ASCII);
    }

    private static String domain(int number) {
        return "d" + number + ".example";
    }
}
