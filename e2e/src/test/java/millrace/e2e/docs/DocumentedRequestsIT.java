package millrace.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import millrace.contracts.Json;
import millrace.e2e.client.ReportCsv;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.client.WebhookReceiver.Received;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.data.WarehouseFiles;
import millrace.e2e.process.AdminCommand;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.BatchApiClient.Answer;
import millrace.e2e.process.LauncherScript;
import millrace.e2e.process.MillraceProcess;
import millrace.e2e.process.ProcessResult;
import millrace.e2e.process.SharedMillrace;
import millrace.testing.GeneratedPage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each request of the service description, with its fields, from the POST to the downloaded file. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentedRequestsIT {
    @RegisterExtension
    static final SharedMillrace SHARED = new SharedMillrace();

    private MillraceProcess millrace;
    private AdminCommand admin;
    private BatchApiClient api;
    private WebhookReceiver receiver;
    private WarehouseFiles warehouse;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        millrace = SHARED.process();
        warehouse = WarehouseFiles.open(SHARED.data().resolve("warehouse"));
        receiver = WebhookReceiver.start();
        admin = new AdminCommand(folder.resolve("home"), SHARED.data());
        api = BatchApiClient.of(millrace, millrace.batchKey());
    }

    @AfterAll
    void stop() throws Exception {
        receiver.close();
        warehouse.close();
    }

    @ParameterizedTest
    @MethodSource("millrace.e2e.docs.DocumentedRequest#all")
    void goesFromPostToFile(DocumentedRequest story) throws Exception {
        String body = story.body(receiver.url());
        // The estimate is that of the entities in the data, as soon as these are known.
        Answer validated = Awaitility.await()
                .until(() -> api.post(story.path("request-validate"), body), answer -> answer.body()
                        .has("known_entities"));
        assertThat(validated.body().path("is_valid").asBoolean())
                .as("%s", validated.body())
                .isTrue();
        long before = remainingHits();

        String report = api.submit(story.dataset(), body);
        JsonNode status = api.ended(report).body();

        assertThat(status.path("status").asText()).as("%s", status).isEqualTo("complete");
        assertThat(status.path("report_id").asText()).isEqualTo(report);
        assertThat(status.path("dataset").asText()).isEqualTo(story.dataset());
        assertThat(status.path("sequence").asInt()).isEqualTo(2);
        charged(
                story,
                status,
                before,
                validated.body().path("estimated_credits").asLong());
        downloaded(story, status);
        notified(report, status);
        remembered(story, report, status);
    }

    @Test
    void measuresWhatTheReferenceLists() throws Exception {
        String report = api.submit("demographics", DemoRequests.with(DemoRequests.small(77), receiver.url()));
        api.ended(report);
        notified(report, api.status(report).body());
        Awaitility.await().untilAsserted(() -> {
            String metrics =
                    new String(api.fetch(millrace.management() + "/metrics").body(), StandardCharsets.UTF_8);
            GeneratedPage.check(
                    "metrics.md",
                    MetricsTable.of(metrics),
                    "-pl e2e -am verify -Dit.test=DocumentedRequestsIT -Dtest=None -Dsurefire.failIfNoSpecifiedTests=false"
                            + " -Dfailsafe.failIfNoSpecifiedTests=false");
            assertThat(metrics)
                    .contains("millrace_ready{service=\"gateway\"} 1.0")
                    .contains("millrace_ready{service=\"processor\"} 1.0")
                    .contains("millrace_ready{service=\"notifier\"} 1.0");
        });
        assertThat(api.fetch(millrace.management() + "/health/ready").statusCode())
                .isEqualTo(200);
        assertThat(api.fetch(millrace.address() + "/metrics").statusCode()).isEqualTo(404);
    }

    /** Every example at /docs gives a file with rows. */
    @Test
    void everyExampleOfTheDocumentationHasRows() {
        Map<String, JsonNode> examples = Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(this::examples, all -> all.values().stream().noneMatch(DocumentedRequestsIT::isMadeUp));
        assertThat(examples).hasSize(5);
        examples.forEach((dataset, example) -> {
            JsonNode status = api.ended(api.submit(dataset, example.toString())).body();
            assertThat(status.path("row_count").asInt())
                    .as("%s: %s", example, status)
                    .isPositive();
        });
    }

    /** As programs of the original API ask for them: at v4, up to the newest month, kept for two months. */
    @Test
    void programsOfTheOriginalApiGetTheirFiles() {
        ObjectNode nested = Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> example("/batch/v4/request-report"), example -> !isMadeUp(example))
                .deepCopy();
        nested.withObject("/delivery_information/delivery_method_params").put("retention_days", 60);
        ObjectNode table = (ObjectNode) nested.at("/report_query/tables/0");
        table.put("latest", true).remove(List.of("start_date", "end_date"));
        String dataset = table.path("vtable").asText();
        Answer accepted = api.post("/batch/v4/request-report", nested.toString());
        assertThat(accepted.body().path("status").asText())
                .as("%s", accepted.body())
                .isEqualTo("pending");
        Answer status = Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> api.get("/batch/request-status/" + accepted.text("report_id")),
                        answer -> answer.text("status").equals("completed"));
        assertThat(status.body().path("report_name").asText()).isEqualTo("my report");
        assertThat(Duration.between(Instant.parse(status.text("updated_at")), Instant.parse(status.text("expires_at"))))
                .isEqualTo(Duration.ofDays(60));
        ReportCsv csv = ReportCsv.of(api.download(status));
        String newest = lastPeriod(dataset, table.path("granularity").asText());
        int date = csv.header().indexOf("date");
        assertThat(csv.rows()).isNotEmpty().allSatisfy(row -> assertThat(row.get(date))
                .isEqualTo(newest));
    }

    private ObjectNode example(String path) {
        return (ObjectNode) api.get("/openapi.json")
                .body()
                .path("paths")
                .path(path)
                .at("/post/requestBody/content/application~1json/example");
    }

    private String lastPeriod(String dataset, String granularity) {
        for (JsonNode table : api.get("/v3/batch/tables/describe").body()) {
            if (table.path("table").asText().equals(dataset)) {
                return table.at("/data/periods/" + granularity + "/last").asText();
            }
        }
        throw new AssertionError(dataset);
    }

    /** What a client can see of the data before it asks for a report. */
    @Test
    void tellsWhatIsInTheData() throws Exception {
        JsonNode tables = Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> api.get("/v3/batch/tables/describe").body(),
                        all -> all.findValues("data").size() == 5);
        for (JsonNode table : tables) {
            String dataset = table.path("table").asText();
            JsonNode data = table.path("data");
            String field = table.at("/table_filters/0/name").asText();
            String column = field.substring(0, field.length() - 1);
            assertThat(data.path("row_count").asLong())
                    .isPositive()
                    .isEqualTo(warehouse.number("SELECT count(*) FROM " + dataset));
            assertThat(data.path("entity_count").asLong())
                    .isEqualTo(warehouse.number("SELECT count(DISTINCT " + column + ") FROM " + dataset));
            var periods = Json.MAPPER.createObjectNode();
            for (List<String> row : warehouse.rows("SELECT granularity, CAST(min(date) AS VARCHAR),"
                    + " CAST(max(date) AS VARCHAR) FROM " + dataset + " GROUP BY granularity")) {
                periods.putObject(row.get(0)).put("first", row.get(1)).put("last", row.get(2));
            }
            assertThat(data.path("periods")).isEqualTo(periods);
            List<String> expected =
                    warehouse.rows("SELECT DISTINCT " + column + " FROM " + dataset + " ORDER BY 1 LIMIT 100").stream()
                            .map(List::getFirst)
                            .toList();
            JsonNode listed = api.get("/v3/batch/tables/" + dataset + "/entities?limit=100")
                    .body()
                    .path("entities");
            assertThat(texts(listed)).isEqualTo(expected);

            ObjectNode request = Objects.requireNonNull(examples().get(dataset)).deepCopy();
            request.set(field, data.path("sample_entities"));
            assertThat(texts(data.path("sample_entities"))).hasSize(3);
            String validate = "/v3/batch/" + dataset + "/request-validate";
            assertThat(texts(api.post(validate, request.toString()).body().path("warnings")))
                    .noneMatch(warning -> warning.contains("the data"));
            request.putArray(field).add(expected.getFirst()).add("nobody.example");
            assertThat(texts(api.post(validate, request.toString()).body().path("warnings")))
                    .anyMatch(warning ->
                            warning.matches("1 of 2 " + field + " is not in the data: \"?nobody[.]example\"?[.]"));
        }
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    private Map<String, JsonNode> examples() {
        Map<String, JsonNode> examples = new TreeMap<>();
        api.get("/openapi.json").body().path("paths").properties().forEach(path -> {
            JsonNode example = path.getValue().at("/post/requestBody/content/application~1json/example");
            if (path.getKey().matches("/v3/batch/\\w+/request-report")) {
                examples.put(path.getKey().split("/", -1)[3], example);
            }
        });
        return examples;
    }

    private static boolean isMadeUp(JsonNode example) {
        return example.toString().contains("example.com") || example.toString().contains("trail shoes");
    }

    private void charged(DocumentedRequest story, JsonNode status, long before, long estimate) throws Exception {
        long credits = warehouse.number(story.credits());
        assertThat(credits).isPositive();
        assertThat(status.path("used_quota").asLong()).isEqualTo(credits);
        assertThat(before - remainingHits()).isEqualTo(credits);
        assertThat(status.path("data_points_count").asLong()).isEqualTo(warehouse.number(story.results()));
        assertThat(status.path("estimated_credits").asLong())
                .isEqualTo(estimate)
                .isGreaterThanOrEqualTo(credits);
        JsonNode receipt = status.path("receipt");
        assertThat(receipt.path("reserved").asLong()).isEqualTo(estimate);
        assertThat(receipt.path("charged").asLong()).isEqualTo(credits);
        assertThat(receipt.path("released").asLong()).isEqualTo(estimate - credits);
        assertThat(receipt.path("price_rule").asText()).contains("credit per");
    }

    private void downloaded(DocumentedRequest story, JsonNode status) throws Exception {
        String link = status.path("download_url").asText();
        HttpResponse<byte[]> file = api.fetch(link);
        assertThat(file.statusCode()).isEqualTo(200);
        String sha256 =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(file.body()));
        assertThat(status.path("sha256").asText()).isEqualTo(sha256);
        assertThat(status.path("file_size").asInt()).isEqualTo(file.body().length);
        assertThat(file.headers().firstValue("etag")).contains("\"" + sha256 + "\"");
        assertThat(file.headers().firstValue("content-type")).contains("text/csv; charset=utf-8");

        ReportCsv csv = ReportCsv.of(new String(file.body(), StandardCharsets.UTF_8));
        assertThat(csv.header()).isEqualTo(story.header());
        assertThat(csv.rows()).isNotEmpty().isEqualTo(warehouse.rows(story.rows()));
        assertThat(status.path("row_count").asInt()).isEqualTo(csv.rows().size());

        HttpResponse<byte[]> start = api.fetch(link, "range", "bytes=0-99");
        HttpResponse<byte[]> rest = api.fetch(link, "range", "bytes=100-");
        assertThat(start.statusCode()).isEqualTo(206);
        assertThat(start.body()).isEqualTo(Arrays.copyOf(file.body(), 100));
        assertThat(rest.body()).isEqualTo(Arrays.copyOfRange(file.body(), 100, file.body().length));
    }

    private void notified(String report, JsonNode status) {
        List<Received> events = Awaitility.await().until(() -> receiver.of(report), of -> of.size() >= 2);
        assertThat(events).extracting(Received::status).containsExactly("processing", "complete");
        assertThat(events).extracting(Received::id).containsExactly(report + ".1", report + ".2");
        for (Received event : events) {
            event.verified(millrace.webhookSecret());
            assertThat(event.body().path("event_type").asText()).isEqualTo("report_status_change");
            assertThat(event.body().path("payload").path("estimated_credits"))
                    .isEqualTo(status.path("estimated_credits"));
        }
        assertThat(without(events.getLast().body().path("payload"), "occurred_at"))
                .isEqualTo(status);
    }

    private void remembered(DocumentedRequest story, String report, JsonNode status) {
        JsonNode newest = api.get("/v3/batch/report-history?limit=1").body().path("reports");
        assertThat(newest.path(0)).isEqualTo(without(status, "receipt"));
        JsonNode query = api.get("/v3/batch/request-query/" + report).body();
        assertThat(query.path("metrics"))
                .isEqualTo(story.request(receiver.url()).path("metrics"));
        assertThat(query.path("webhook_url").asText()).isEqualTo(receiver.url());
        assertThat(query.path("dataset").asText()).isEqualTo(story.dataset());
        Answer again = api.post(
                story.path("request-validate"), without(query, "dataset").toString());
        assertThat(again.body().path("estimated_credits"))
                .as("%s of %s", again.body(), query)
                .isEqualTo(status.path("estimated_credits"));
    }

    /** Requests as clients of the original service send them. */
    @Test
    void bothShapesOfTheBodyAndMultipartGiveTheSameFile() {
        String rest = """
                "metrics":["all_keyword_volume","zero_clicks_share"],"start_date":"2026-01","end_date":"2026-10","granularity":"monthly"}""";
        String entities = "\"keywords\":[\"best yoga mat\",\"@home\"],\"countries\":[\"US\",\"DE\"]";
        String flat = "{" + entities + "," + rest;
        String part = "--x\r\nContent-Disposition: form-data; name=\"request\"; filename=\"request.json\"\r\n"
                + "Content-Type: application/json\r\n\r\n" + flat + "\r\n--x--\r\n";
        String path = "/v3/batch/keywords/request-report";

        List<String> files = List.of(
                        api.post(path, flat),
                        api.post(path, "{\"filters\":{" + entities + "}," + rest),
                        api.post(path, part, "content-type", "multipart/form-data; boundary=x"))
                .stream()
                .map(accepted -> {
                    assertThat(accepted.code()).as("%s", accepted.body()).isEqualTo(200);
                    return api.ended(accepted.text("report_id")).text("sha256");
                })
                .toList();

        assertThat(files.getFirst()).hasSize(64);
        assertThat(files).containsOnly(files.getFirst());
    }

    /** Programs of the original API page: what is not on a page is neither in its file nor charged. */
    @Test
    void pagesAreThePartsOfTheWhole() {
        String whole = DemoRequests.small(31);
        List<String> lines = lines(api.ended(api.submit("demographics", whole)));
        assertThat(lines).hasSizeGreaterThan(20);
        for (int offset : List.of(0, 7, lines.size() - 3, 1_000)) {
            String page = whole.substring(0, whole.length() - 1) + ",\"limit\":7,\"offset\":" + offset + "}";
            Answer status = api.ended(api.submit("demographics", page));
            List<String> expected = new ArrayList<>(List.of(lines.getFirst()));
            lines.stream().skip(1L + offset).limit(7).forEach(expected::add);
            assertThat(lines(status)).as("from %d", offset).isEqualTo(expected);
            long results = expected.stream()
                    .skip(1)
                    .flatMap(line -> Arrays.stream(line.split(",", -1)).skip(5))
                    .filter(cell -> !cell.isEmpty())
                    .count();
            assertThat(status.body().path("used_quota").asLong()).isEqualTo(results);
            assertThat(status.body().path("row_count").asInt()).isEqualTo(expected.size() - 1);
        }
    }

    private List<String> lines(Answer complete) {
        assertThat(complete.text("status")).as("%s", complete.body()).isEqualTo("complete");
        return api.download(complete).lines().toList();
    }

    /** An operator creates, changes and suspends an account with commands while the service runs. */
    @Test
    void anAccountIsMadeUsedAndSuspendedFromATerminal() throws Exception {
        String old = admin.typed(
                        "create typed --name Typed --credits 1000 --countries US,WW --from 2025-01-01 --to 2026-12-31")
                .path("webhook_secret")
                .asText();
        String key =
                admin.typed("issue-key typed batch --label jobs").path("key").asText();
        String secret =
                admin.typed("rotate-secret typed --overlap 1h").path("secret").asText();
        BatchApiClient typed = BatchApiClient.of(millrace, key);
        String report = typed.submit("demographics", DemoRequests.with(DemoRequests.small(3), receiver.url()));
        long used = typed.ended(report).body().path("used_quota").asLong();
        assertThat(used).isPositive();
        List<Received> events = Awaitility.await().until(() -> receiver.of(report), of -> of.size() >= 2);
        events.forEach(event -> event.verified(old).verified(secret));
        String only =
                admin.typed("rotate-secret typed --overlap 0s").path("secret").asText();
        String later = typed.submit("demographics", DemoRequests.with(DemoRequests.small(4), receiver.url()));
        used += typed.ended(later).body().path("used_quota").asLong();
        Awaitility.await().until(() -> receiver.of(later), of -> of.size() >= 2).forEach(event -> {
            assertThat(event.verified(only).headers().getOrDefault("webhook-signature", List.of()))
                    .hasSize(1)
                    .noneMatch(signatures -> signatures.contains(" "));
            assertThatThrownBy(() -> event.verified(secret)).isInstanceOf(AssertionError.class);
        });
        long charged = used;

        admin.typed("expire typed 100 --id x-1 --reason over");
        admin.typed("expire typed 100 --id x-1");
        Awaitility.await().until(() -> typed.remainingCredits() == 900 - charged);
        JsonNode credits = admin.typed("credits typed");
        assertThat(credits.path("granted").asLong()).isEqualTo(900);
        assertThat(credits.path("history").path(0).path("kind").asText()).isEqualTo("expiry");

        admin.typed("suspend typed --reason unpaid");
        Answer refused = typed.get("/v3/batch/credits");
        assertThat(refused.code()).isEqualTo(403);
        assertThat(refused.body().toString()).contains("The account is suspended");
        assertThat(admin.typed("audit typed")
                        .path("audit")
                        .path(0)
                        .path("reason")
                        .asText())
                .isEqualTo("unpaid");
        ProcessResult wrong = admin.run("grant nobody 5");
        assertThat(wrong.code()).isEqualTo(1);
        assertThat(wrong.err()).startsWith("millrace admin grant: There is no account nobody.\n");
        // The command of the welcome text, as a person pastes it.
        assertThat(admin.pasted(millrace.adminHint()).path("accounts")).hasSizeGreaterThan(1);
    }

    /** A client asks for a report and gets its file with a command, while the service runs. */
    @Test
    void aReportIsAskedForAndDownloadedFromATerminal(@TempDir Path home) throws Exception {
        String script = LauncherScript.copyTo(home);
        Path request = Files.writeString(home.resolve("request.json"), DemoRequests.small(21));
        Path file = home.resolve("out.csv");
        Map<String, String> environment = Map.of(
                "MILLRACE_URL", millrace.address(), "MILLRACE_KEY", millrace.batchKey(), "HOME", home.toString());

        ProcessResult run = ProcessResult.run(
                List.of(script, "report", "run", "demographics", "--request", "" + request, "-o", "" + file, "--json"),
                environment);
        assertThat(run.code()).as("%s", run).isZero();
        JsonNode printed = Json.MAPPER.readTree(run.out());
        Answer status = api.status(printed.path("report_id").asText());
        assertThat(Files.readString(file)).isEqualTo(api.download(status)).contains("demographics_share");
        assertThat(printed.path("row_count").asInt())
                .isPositive()
                .isEqualTo(status.body().path("row_count").asInt());

        ProcessResult all = ProcessResult.run(
                List.of(
                        script,
                        "report",
                        "run",
                        "demographics",
                        "--request",
                        "" + request,
                        "--metrics",
                        "all",
                        "--max-credits",
                        "1"),
                environment);
        assertThat(all.code()).as("%s", all).isEqualTo(3);
        assertThat(all.err()).contains("millrace report run: --max-credits: the estimate of ");

        ProcessResult ready =
                ProcessResult.run(List.of(script, "status", "--management", millrace.management()), environment);
        assertThat(ready.code()).as("%s", ready).isZero();
        assertThat(ready.out()).contains("processor", "open reports", "lag of ledger");
    }

    /** Only the batch interface needs the batch key; capabilities accept both keys. */
    @Test
    void tellsWhatTheAccountMayAskFor() {
        JsonNode capabilities =
                api.get("/capabilities?api_key=" + millrace.restKey()).body();
        JsonNode desktop = capabilities.path("web_desktop_data");
        assertThat(desktop.path("snapshot_interval").path("start_date").asText())
                .isEqualTo(DemoDataFolder.DATA.firstDay().toString());
        assertThat(desktop.path("snapshot_interval").path("end_date").asText())
                .isEqualTo(DemoDataFolder.DATA.lastDay().toString());
        assertThat(IntStream.range(0, desktop.path("countries").size())
                        .mapToObj(i ->
                                desktop.path("countries").path(i).path("code").asText()))
                .hasSize(21)
                .contains("US", "WW");
        assertThat(api.remainingCredits()).isEqualTo(remainingHits());
    }

    private long remainingHits() {
        return api.get("/capabilities?api_key=" + millrace.restKey())
                .body()
                .path("remaining_hits")
                .asLong();
    }

    private static JsonNode without(JsonNode object, String field) {
        ObjectNode copy = object.deepCopy();
        copy.remove(field);
        return Json.MAPPER.valueToTree(copy);
    }
}
