package millrace.e2e.reports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.contracts.Json;
import millrace.e2e.data.OperatorDataFolder;
import millrace.e2e.data.WarehouseFiles;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.BatchApiClient.Answer;
import millrace.e2e.process.MillraceProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the price of reports on tables of the test, with its own SQL. Each test has its own account. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CreditsIT {
    private static final long PLENTY = 1_000_000;
    /** Two metrics without absent cells, so that the charge equals the estimate. */
    private static final String FULL = """
            {"keywords":%s,"countries":["US"],"metrics":["all_keyword_volume","all_keyword_cpc"],
             "start_date":"2026-01","end_date":"2026-09","granularity":"monthly"%s}""";
    /** A report that takes longer than the time between two requests. */
    private static final String LARGE = """
            {"domains":%s,"countries":["US","DE"],"metrics":["demographics_share","demographics_bounce_rate"],
             "start_date":"2026-01","end_date":"2026-02","granularity":"monthly"}""".formatted(Json.text(
            IntStream.range(1, 2001).mapToObj(d -> "d" + d + ".example").toList()));

    private static final String TRAFFIC = """
            {"domains":["d1.example","d2.example"],"metrics":["category_sales_performance_product_views"],
             "start_date":"2026-01-01","end_date":"2026-01-10","granularity":"daily"}""";

    private OperatorDataFolder own;
    private MillraceProcess millrace;
    private WarehouseFiles warehouse;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        Map<String, Long> credits = new LinkedHashMap<>();
        Stream.of("prices", "ceiling", "cancelling", "retrying", "repeating").forEach(a -> credits.put(a, PLENTY));
        credits.put("poor", 3L);
        credits.put("racing", 5L);
        own = OperatorDataFolder.create(folder.resolve("data"), credits);
        millrace = MillraceProcess.start(own.data(), "--gateway.requests-per-second=100000");
        warehouse = WarehouseFiles.open(own.warehouse());
    }

    @AfterAll
    void stop() throws Exception {
        millrace.close();
        warehouse.close();
    }

    /** @param credits SQL for the charge */
    record Price(String what, String dataset, String request, String credits) {
        @Override
        public String toString() {
            return what;
        }
    }

    static Stream<Price> prices() {
        return PriceCases.all();
    }

    @ParameterizedTest
    @MethodSource("prices")
    void chargesWhatTheRuleSays(Price price) throws Exception {
        BatchApiClient api = api("prices");
        long before = api.remainingCredits();
        long expected = warehouse.number(price.credits());
        JsonNode status =
                api.ended(api.submit(price.dataset(), price.request())).body();
        assertThat(status.path("status").asText()).as("%s", status).isEqualTo("complete");
        assertThat(status.path("used_quota").asLong()).isEqualTo(expected);
        assertThat(before - api.remainingCredits()).isEqualTo(expected);
        assertThat(status.path("estimated_credits").asLong()).isGreaterThanOrEqualTo(expected);
    }

    /** Over the same data, however the request is spelt. */
    @Test
    void theSameQueryHasTheSameHashAndTheSameFile() {
        BatchApiClient api = api("prices");
        JsonNode first = made(api, TRAFFIC);
        JsonNode again = made(api, """
                {"metrics":["category_sales_performance_product_views"],"report_name":"again","csv_safety":"none",
                 "domains":["D2.example","d1.example","d2.example"],"granularity":"daily",
                 "start_date":"2026-01-01","end_date":"2026-01-10"}""");
        JsonNode shorter = made(api, TRAFFIC.replace("2026-01-10", "2026-01-09"));
        for (String field : List.of("query_sha256", "data_version", "data_published_at", "render_form", "sha256")) {
            assertThat(first.path(field).asText()).as("%s of %s", field, first).isNotEmpty();
            assertThat(again.path(field)).as(field).isEqualTo(first.path(field));
        }
        assertThat(shorter.path("query_sha256")).isNotEqualTo(first.path("query_sha256"));
        assertThat(shorter.path("data_version")).isEqualTo(first.path("data_version"));
        JsonNode change = api.get(
                        "/v3/batch/report-timeline/" + first.path("report_id").asText())
                .body()
                .path("events")
                .path(0);
        assertThat(change.path("data_version")).isEqualTo(first.path("data_version"));
    }

    private static JsonNode made(BatchApiClient api, String request) {
        return api.ended(api.submit("traffic_and_engagement", request)).body();
    }

    @Test
    void refusesWhatIsEstimatedAboveTheBalanceAndSpendsDownToZero() {
        BatchApiClient api = api("poor");
        Answer refused = request(api, FULL.formatted(words(5), ""));
        assertThat(refused.code()).isEqualTo(402);
        assertThat(refused.body().path("errors").toString()).contains("4 credits", "3 credits remain");
        assertThat(api.post(path("request-validate"), FULL.formatted(words(5), ""))
                        .body()
                        .toString())
                .contains("\"is_valid\":true", "\"estimated_credits\":4", "3 credits");

        assertThat(charge(api, FULL.formatted(words(2), ""))).isEqualTo(2);
        assertThat(charge(api, FULL.formatted(words(1), ""))).isEqualTo(1);
        assertThat(api.remainingCredits()).isZero();
        assertThat(request(api, FULL.formatted(words(1), "")).code()).isEqualTo(402);
        assertThat(api.get("/v3/batch/report-history").body().path("reports")).hasSize(2);
    }

    @Test
    void reportsSubmittedAtOnceNeverSpendMoreThanThereIs() {
        BatchApiClient api = api("racing");
        List<Answer> answers = IntStream.range(0, 12)
                .parallel()
                .mapToObj(i -> request(api, FULL.formatted(words(2), "")))
                .toList();
        assertThat(answers).extracting(Answer::code).containsOnly(200, 402);
        long charged = answers.stream()
                .filter(answer -> answer.code() == 200)
                .map(answer -> api.ended(answer.text("report_id")))
                .mapToLong(ended -> ended.body().path("used_quota").asLong())
                .sum();
        assertThat(charged).isEqualTo(4);
        assertThat(api.remainingCredits()).isEqualTo(1);
    }

    @Test
    void runsNothingAboveTheCeilingOfTheRequest() {
        BatchApiClient api = api("ceiling");
        Answer refused = request(api, FULL.formatted(words(5), ",\"max_credits\":3"));
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.body().path("errors").toString()).contains("max_credits");
        assertThat(api.remainingCredits()).isEqualTo(PLENTY);
        assertThat(api.get("/v3/batch/report-history").body().path("reports")).isEmpty();
        assertThat(charge(api, FULL.formatted(words(5), ",\"max_credits\":4"))).isEqualTo(4);
    }

    @Test
    void cancellingReleasesEverything() {
        BatchApiClient api = api("cancelling");
        String report = api.submit("demographics", LARGE);
        Answer cancelled = api.post("/v3/batch/cancel/" + report, "");
        assertThat(cancelled.code()).as("%s", cancelled.body()).isEqualTo(200);
        JsonNode status = api.ended(report).body();
        assertThat(status.path("error").path("code").asText()).as("%s", status).isEqualTo("cancelled");
        assertThat(status.path("receipt").path("charged").asLong()).isZero();
        assertThat(status.path("receipt").path("released"))
                .isEqualTo(status.path("receipt").path("reserved"));
        assertThat(api.remainingCredits()).isEqualTo(PLENTY);
        assertThat(api.post("/v3/batch/cancel/" + report, "").code()).isEqualTo(409);
    }

    /** At first the dataset has no data, so that nothing is reserved; then it has a version that cannot be read. */
    @Test
    void aFailedReportCostsNothingAndItsRetryIsChargedOnce() throws Exception {
        BatchApiClient api = api("retrying");
        String report = api.submit("traffic_and_engagement", TRAFFIC);
        unavailable(api, report);
        own.announce("traffic_and_engagement", "v0");
        unavailable(api, retried(api, report));
        own.loadTraffic();
        JsonNode status = api.ended(retried(api, report)).body();

        assertThat(status.path("status").asText()).as("%s", status).isEqualTo("complete");
        long expected;
        try (WarehouseFiles loaded = WarehouseFiles.open(own.warehouse())) {
            expected = loaded.number("SELECT " + PriceCases.present("category_sales_performance_product_views")
                    + " FROM traffic_and_engagement WHERE domain IN ('d1.example', 'd2.example') AND category_id = 0");
        }
        assertThat(expected).isBetween(1L, 19L);
        assertThat(status.path("used_quota").asLong()).isEqualTo(expected);
        assertThat(status.path("receipt").path("reserved").asLong()).isEqualTo(20);
        assertThat(status.path("receipt").path("released").asLong()).isEqualTo(20 - expected);
        assertThat(api.remainingCredits()).isEqualTo(PLENTY - expected);
        assertThat(api.post("/v3/batch/retry/" + report, "").code()).isEqualTo(409);
    }

    private static void unavailable(BatchApiClient api, String report) {
        JsonNode failed = api.ended(report).body();
        assertThat(failed.path("error").path("code").asText()).as("%s", failed).isEqualTo("dataset_unavailable");
        assertThat(failed.path("error").path("retryable").asBoolean()).isTrue();
        assertThat(failed.path("receipt").path("released"))
                .isEqualTo(failed.path("receipt").path("reserved"));
        assertThat(api.remainingCredits()).isEqualTo(PLENTY);
    }

    /** Retries more than a second later, when the processor sees the new version. */
    private static String retried(BatchApiClient api, String report) {
        Awaitility.await().pollDelay(Duration.ofMillis(1_200)).until(() -> true);
        Answer answer = api.post("/v3/batch/retry/" + report, "");
        assertThat(answer.code()).as("%s", answer.body()).isEqualTo(200);
        return report;
    }

    @Test
    void aRepeatedRequestIsChargedOnce() {
        BatchApiClient api = api("repeating");
        String body = FULL.formatted(words(3), "");
        List<Answer> answers = IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> api.post(path("request-report"), body, "idempotency-key", "again"))
                .toList();
        assertThat(answers).extracting(Answer::code).containsOnly(200);
        assertThat(answers.stream().map(a -> a.text("report_id")).distinct()).hasSize(1);
        assertThat(answers.stream().filter(a -> a.response()
                        .headers()
                        .firstValue("idempotent-replayed")
                        .isEmpty()))
                .hasSize(1);
        assertThat(api.ended(answers.getFirst().text("report_id"))
                        .body()
                        .path("used_quota")
                        .asLong())
                .isEqualTo(3);
        Answer late = api.post(path("request-report"), body, "idempotency-key", "again");
        assertThat(late.response().headers().firstValue("idempotent-replayed")).contains("true");
        assertThat(api.post(path("request-report"), FULL.formatted(words(4), ""), "idempotency-key", "again")
                        .code())
                .isEqualTo(409);
        assertThat(api.remainingCredits()).isEqualTo(PLENTY - 3);
    }

    private BatchApiClient api(String account) {
        return BatchApiClient.of(millrace, OperatorDataFolder.key(account));
    }

    /** Each word has 18 results: more than 1 credit and less than 2. */
    private static String words(int count) {
        return Json.text(IntStream.rangeClosed(1, count).mapToObj(k -> "k" + k).toList());
    }

    private static String path(String operation) {
        return "/v3/batch/keywords/" + operation;
    }

    private static Answer request(BatchApiClient api, String body) {
        return api.post(path("request-report"), body);
    }

    private static long charge(BatchApiClient api, String body) {
        Answer ended = api.ended(api.submit("keywords", body));
        assertThat(ended.text("status")).as("%s", ended.body()).isEqualTo("complete");
        return ended.body().path("used_quota").asLong();
    }
}
