package millrace.e2e.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.contracts.Json;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MainProcess;
import millrace.e2e.process.MillraceProcess;
import millrace.e2e.process.ProcessResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Not a test, but the program of {@code e2e/keep-data-folder}. It uses a build for a minute, and keeps its data folder
 * with the answers of the build, for {@link UpgradeIT}.
 */
@EnabledIfSystemProperty(named = "keep", matches = ".+")
class KeepDataFolderIT {
    static final String IDEMPOTENCY_KEY = "order-1";
    /** Long times, so that nothing in the folder is given up or forgotten before an upgrade. */
    static final List<String> FOR_A_CENTURY = List.of(
            "--processor.keep.files=36500d", "--processor.keep.reports=36500d", "--notifier.give-up-after=36500d");

    private static final List<String> ONE_SLICE_AT_A_TIME = List.of(
            "--processor.slice.entities=1",
            "--processor.slice.most=100",
            "--processor.in-flight.report=1",
            "--processor.in-flight.account=1");
    private static final String PATH = "/v3/batch/keywords/request-report";
    private static final int KEYWORDS = 1000;
    private static final int CREDITS = 1_000_000;

    private final ObjectNode recorded = Json.MAPPER.createObjectNode();

    @TempDir
    Path folder;

    @Test
    void keepsTheFolderOfARelease() throws Exception {
        importData();
        List<String> arguments = new ArrayList<>(FOR_A_CENTURY);
        arguments.addAll(ONE_SLICE_AT_A_TIME);
        arguments.add("--standalone.demo-last-day=2026-11-07");
        arguments.add("--gateway.requests-per-second=1000");
        try (MillraceProcess millrace = MillraceProcess.start(data(), arguments.toArray(String[]::new))) {
            String acme = account("acme");
            BatchApiClient api = BatchApiClient.of(millrace, acme);
            String revoked = issueKey("acme");
            revoke("acme", 1);
            account("closed");
            admin("suspend", "closed");
            admin("limits", "acme", "--open-reports", "7");
            // The accounts file must not undo an operator's changes.
            revoke("demo", 1);
            admin("limits", "demo", "--open-reports", "70");

            endedReports(api);
            recorded.putObject("acme").put("key", acme).put("revoked", revoked).setAll(AccountSnapshot.of(api));
            recorded.putObject("demo")
                    .put("key", millrace.batchKey())
                    .setAll(AccountSnapshot.of(BatchApiClient.of(millrace, millrace.batchKey())));
            recorded.set("accounts", AccountSnapshot.accounts(admin("accounts")));
            openReports(millrace);
            ProcessHandle.of(millrace.pid()).orElseThrow().destroy();
            assertThat(millrace.exitCode()).as(millrace.output()).isZero();
        }
        System.err.println(ReleaseDataFolder.pack(System.getProperty("keep"), data(), recorded));
    }

    private void endedReports(BatchApiClient api) throws Exception {
        ObjectNode webhooks = recorded.putObject("webhooks");
        List<String> waiting = new ArrayList<>();
        try (WebhookReceiver receiver = WebhookReceiver.start(ReleaseDataFolder.RECEIVER)) {
            String delivered = api.submit("keywords", DemoRequests.with(request(0, 5, ""), receiver.url()));
            api.ended(delivered);
            Awaitility.await().until(() -> receiver.of(delivered).size() == 2);
            Awaitility.await().until(() -> deliveries(api, "delivered") == 2);
            webhooks.put("url", receiver.url());
        }
        for (String format : List.of("json\",\"compression\":\"gzip", "parquet")) {
            api.ended(api.submit("keywords", request(5, 5, ",\"response_format\":\"" + format + "\"")));
        }
        api.ended(api.submit("site_keywords", filtered()));
        String repeated = request(10, 3, "");
        api.ended(api.post(PATH, repeated, "Idempotency-Key", IDEMPOTENCY_KEY).text("report_id"));
        recorded.put("repeated", repeated);
        // The dataset has no data, so the report fails.
        api.ended(api.submit("demographics", DemoRequests.small(0).replace(",\"WW\"", "")));
        for (int i = 0; i < 2; i++) {
            String report = api.submit(
                    "keywords",
                    DemoRequests.with(
                            request(20 + i, 1, ""), webhooks.path("url").asText()));
            api.ended(report);
            waiting.addAll(List.of(report + ".1", report + ".2"));
        }
        Awaitility.await().until(() -> deliveries(api, "failed") >= 1);
        webhooks.set("waiting", Json.MAPPER.valueToTree(waiting));
    }

    /**
     * Leaves three open reports: one with some rendered slices, one that takes turns with it, and one that was just
     * accepted.
     */
    private void openReports(MillraceProcess millrace) throws Exception {
        BatchApiClient api = BatchApiClient.of(millrace, account("slow"));
        // So many keywords are stored outside the command.
        String rendering = api.submit("keywords", request(0, KEYWORDS, ""));
        String waiting = api.submit("keywords", request(7, KEYWORDS / 2, ""));
        Awaitility.await()
                .until(() -> api.status(rendering).body().path("progress").asDouble() > 0);
        String come = api.submit("site_keywords", filtered());
        recorded.putObject("slow")
                .put("key", api.key())
                .put("granted", CREDITS)
                .putObject("rows")
                .put(rendering, KEYWORDS)
                .put(waiting, KEYWORDS / 2)
                .put(come, 2 * KEYWORDS);
    }

    private static int deliveries(BatchApiClient api, String state) {
        return api.get("/v3/batch/webhooks/deliveries?state=" + state)
                .body()
                .path("deliveries")
                .size();
    }

    private String account(String id) throws Exception {
        JsonNode made = admin(
                "create",
                id,
                "--name",
                id,
                "--credits",
                "1000000",
                "--countries",
                "US",
                "--from",
                "2024-01-01",
                "--to",
                "2026-12-31");
        if (id.equals("acme")) {
            recorded.set("secret", made.path("webhook_secret"));
        }
        return issueKey(id);
    }

    private void revoke(String account, int key) throws Exception {
        String id = admin("account", account).path("keys").path(key).path("id").asText();
        admin("revoke-key", account, id);
    }

    private String issueKey(String account) throws Exception {
        return admin("issue-key", account, "batch").path("key").asText();
    }

    private JsonNode admin(String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of(words));
        line.add("--data=" + data());
        return Json.MAPPER.readTree(
                run("millrace.gateway.admin.command.AdminMain", line).out());
    }

    private void importData() throws Exception {
        load(
                "keywords",
                "keyword,country,date,all_keyword_volume,all_keyword_cpc",
                n -> keyword(n) + ",US,2026-10," + n + ",0.5");
        load(
                "site_keywords",
                "domain,country,date,granularity,keyword,desktop_keywords_total_visits",
                n -> "one.example,US,2026-10-05,weekly," + keyword(n) + "," + n + "\ntwo.example,US,2026-10-05,weekly,"
                        + keyword(n) + "," + n);
    }

    private void load(String dataset, String header, IntFunction<String> lines) throws Exception {
        Path csv = folder.resolve(dataset + ".csv");
        Files.writeString(
                csv,
                header + "\n" + IntStream.range(0, KEYWORDS).mapToObj(lines).collect(Collectors.joining("\n")) + "\n");
        run("millrace.processor.data.importing.ImportMain", List.of(dataset, csv.toString(), "--data=" + data()));
    }

    private static ProcessResult run(String main, List<String> arguments) throws IOException, InterruptedException {
        ProcessResult ended = ProcessResult.run(MainProcess.command(main, List.of(), arguments), Map.of());
        assertThat(ended.code()).as(ended.err()).isZero();
        return ended;
    }

    private Path data() {
        return folder.resolve("data");
    }

    /** A keyword so long that a thousand of them are kept in the report store while their report is open. */
    private static String keyword(int number) {
        return "keyword number %04d of those that are long enough to make long lists of them".formatted(number);
    }

    private static String request(int from, int count, String more) {
        return """
                {"keywords":[%s],"countries":["US"],"metrics":["all_keyword_volume","all_keyword_cpc"],
                 "start_date":"2026-10","end_date":"2026-10","granularity":"monthly"%s}""".formatted(keywords(from, count), more);
    }

    /** A request with a long list of filter values, which selects two thousand rows. */
    private static String filtered() {
        return """
                {"domains":["one.example","two.example"],"keywords":[%s],"countries":["US"],
                 "metrics":["desktop_keywords_total_visits"],
                 "start_date":"2026-10-05","end_date":"2026-10-11","granularity":"weekly"}""".formatted(keywords(0, KEYWORDS));
    }

    private static String keywords(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(n -> "\"" + keyword(n) + "\"")
                .collect(Collectors.joining(","));
    }
}
