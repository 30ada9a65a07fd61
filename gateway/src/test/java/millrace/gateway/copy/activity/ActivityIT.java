package millrace.gateway.copy.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import millrace.contracts.Json;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.topics.Topics;
import millrace.gateway.FakeProcessor;
import millrace.gateway.TestGateway;
import millrace.gateway.copy.activity.ActivityFeed.ActivityListener;
import millrace.gateway.copy.reports.SampleRecords;
import millrace.runtime.settings.KafkaSettings;
import millrace.testing.TestKafka;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The routes on the activity store, at two gateways with a store each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ActivityIT {
    private static final String ENTRIES = "/v3/batch/credits/entries";
    private static final String USAGE = "/v3/batch/credits/usage";
    private static final String TIMELINE = "/v3/batch/report-timeline/";
    private static final String STATISTICS = "/v3/batch/statistics";

    @TempDir
    static Path folder;

    private final Instant requested =
            Instant.now().truncatedTo(ChronoUnit.MILLIS).minusSeconds(60);
    private final UUID complete = UUID.randomUUID();
    private final UUID cancelled = UUID.randomUUID();
    private final List<LedgerEntry> entries = new ArrayList<>();

    private TestKafka kafka;
    private TestGateway first;
    private TestGateway second;
    private FakeProcessor ledger;

    @BeforeAll
    void start() {
        kafka = TestKafka.withTopics(3);
        first = answering(gateway("first"));
        ledger = new FakeProcessor(kafka.bootstrapServers());
        report(complete, "demographics", 100, requested);
        enter(LedgerEntry.Kind.GRANT, null, 1000, -1);
        enter(LedgerEntry.Kind.RESERVATION, complete, 100, 1000);
        enter(LedgerEntry.Kind.SETTLEMENT, complete, 60, 3500);
        enter(LedgerEntry.Kind.RELEASE, complete, 40, 3500);
        enter(LedgerEntry.Kind.RESERVATION, cancelled, 10, 5000);
        enter(LedgerEntry.Kind.RELEASE, cancelled, 10, 7000);
        // After its entries: the order of topics is not known.
        report(cancelled, "keywords", 10, requested.plusSeconds(4));
        ledger.put(Topics.ACCOUNT_STATE, "acme", new AccountState("acme", 1000, 0, 60, 940, 0, entries.size()));
        for (UUID report : List.of(complete, cancelled)) {
            await().until(() -> first.get("/v3/batch/request-status/" + report).statusCode() == 200);
        }
        await().until(() ->
                json(first.get("/v3/batch/credits")).path("remaining_credits").asLong() == 940);
        second = answering(gateway("second"));
    }

    @AfterAll
    void stop() {
        first.close();
        second.close();
        ledger.close();
        kafka.close();
    }

    private TestGateway gateway(String name) {
        return TestGateway.startWithActivity(
                kafka.bootstrapServers(),
                folder.resolve("reports"),
                folder.resolve("activity").resolve(name),
                Clock.systemUTC());
    }

    private static TestGateway answering(TestGateway gateway) {
        await().until(() -> gateway.get(STATISTICS).statusCode() == 200);
        return gateway;
    }

    private void report(UUID id, String dataset, long credits, Instant submittedAt) {
        boolean fails = id.equals(cancelled);
        var receipt = new ReportStatus.Receipt(credits, 0, 0, "1 credit per result", List.of());
        var accepted = new ReportStatus(
                "acme",
                id,
                dataset,
                Status.PROCESSING,
                ApiDialect.V3,
                0,
                0,
                submittedAt,
                submittedAt,
                credits,
                ReportStatus.Progress.QUEUED,
                null,
                null,
                receipt,
                null,
                null,
                Map.of("team", "seo"),
                null,
                null,
                null,
                null);
        ReportStatus started = accepted.started(1, submittedAt.plusMillis(1000));
        var result = new ReportStatus.Result(
                new ResultCounts(15, 60, 0),
                60,
                new StoredFile("file", 1, "0".repeat(64)),
                Instant.now().plusSeconds(999));
        ReportStatus ended = fails
                ? started.failed(
                        1,
                        new ReportStatus.Failure(ErrorCode.CANCELLED, "The client cancelled it.", true),
                        submittedAt.plusMillis(3000))
                : started.completed(result, submittedAt.plusMillis(3500));
        List<String> ids = fails
                ? List.of(id + ".reservation", id + ".release")
                : List.of(id + ".reservation", id + ".settlement", id + ".release");
        event(started);
        event(ended);
        ledger.status(ended.withReceipt(new ReportStatus.Receipt(credits, 60, 40, "1 credit per result", ids)));
    }

    private void event(ReportStatus report) {
        ledger.put(
                Topics.REPORT_EVENTS,
                report.reportId().toString(),
                ReportEvent.of(report, SampleRecords.wanted("a.example").query()));
    }

    private void enter(LedgerEntry.Kind kind, @Nullable UUID report, long amount, long after) {
        int sequence = entries.size() + 1;
        String word = kind.name().toLowerCase(java.util.Locale.ROOT);
        var entry = new LedgerEntry(
                report == null ? "grant-1" : report + "." + word,
                "acme",
                sequence,
                kind,
                report,
                amount,
                1000,
                1,
                2,
                997,
                requested.plusMillis(after));
        entries.add(entry);
        ledger.put(Topics.CREDIT_LEDGER, "acme", entry);
    }

    @Test
    void listsTheLedgerInPages() {
        JsonNode all = json(first.get(ENTRIES));
        assertThat(all.path("entries").findValuesAsText("sequence")).containsExactly("6", "5", "4", "3", "2", "1");
        assertThat(all.path("next_cursor").isNull()).isTrue();
        assertThat(all.path("entries").path(3))
                .isEqualTo(Json.MAPPER.valueToTree(Map.ofEntries(
                        Map.entry("entry_id", complete + ".settlement"),
                        Map.entry("sequence", 3),
                        Map.entry("kind", "settlement"),
                        Map.entry("report_id", complete.toString()),
                        Map.entry("dataset", "demographics"),
                        Map.entry("amount", 60),
                        Map.entry("granted", 1000),
                        Map.entry("reserved", 1),
                        Map.entry("used", 2),
                        Map.entry("remaining", 997),
                        Map.entry("occurred_at", Json.format(requested.plusMillis(3500))))));
        assertThat(all.path("entries").path(5).has("dataset")).isFalse();
        assertThat(all.path("entries").path(5).has("report_id")).isFalse();

        List<String> paged = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = json(first.get(ENTRIES + "?limit=4" + cursor));
            paged.addAll(page.path("entries").findValuesAsText("sequence"));
            cursor = page.path("next_cursor").isNull()
                    ? ""
                    : "&cursor=" + page.path("next_cursor").asText();
        } while (!cursor.isEmpty());
        assertThat(paged).containsExactly("6", "5", "4", "3", "2", "1");
    }

    @Test
    void listsTheLedgerOfATime() {
        // From is inclusive, to is not.
        assertThat(sequences("?from=" + time(1000) + "&to=" + time(3500))).containsExactly("2");
        assertThat(sequences("?from=" + time(3500))).containsExactly("6", "5", "4", "3");
        assertThat(sequences("?from=" + day(requested.minusSeconds(1)) + "&to=" + day(Instant.now())))
                .hasSize(6);
        assertThat(sequences("?to=" + day(requested.minus(Duration.ofDays(1))))).isEmpty();
        assertThat(sequences("?from=1969-01-01&to=0001-01-01")).isEmpty();
    }

    private List<String> sequences(String query) {
        return json(first.get(ENTRIES + query)).path("entries").findValuesAsText("sequence");
    }

    private String time(long after) {
        return URLEncoder.encode(Json.format(requested.plusMillis(after)), StandardCharsets.UTF_8);
    }

    private static LocalDate day(Instant time) {
        return LocalDate.ofInstant(time, ZoneOffset.UTC);
    }

    @Test
    void addsUpUsage() {
        String day = day(requested.plusMillis(3500)).toString();
        LocalDate today = day(Instant.now());
        JsonNode usage = json(first.get(USAGE));
        assertThat(usage.path("usage").toString())
                .isEqualTo("[{\"day\":\"" + day + "\",\"dataset\":\"demographics\",\"credits\":60,\"reports\":1}]");
        assertThat(usage.path("total").toString()).isEqualTo("{\"credits\":60,\"reports\":1}");
        assertThat(usage.path("from").asText()).isEqualTo(today.minusDays(29).toString());
        assertThat(usage.path("to").asText()).isEqualTo(today.toString());
        assertThat(json(first.get(USAGE + "?group_by=month")).path("usage").toString())
                .isEqualTo("[{\"month\":\"" + day.substring(0, 7) + "\",\"credits\":60,\"reports\":1}]");
        assertThat(json(first.get(USAGE + "?group_by=dataset")).path("usage").toString())
                .isEqualTo("[{\"dataset\":\"demographics\",\"credits\":60,\"reports\":1}]");
        assertThat(json(first.get(USAGE + "?group_by=month,tag:team"))
                        .path("usage")
                        .toString())
                .isEqualTo("[{\"month\":\"" + day.substring(0, 7)
                        + "\",\"tags\":{\"team\":\"seo\"},\"credits\":60,\"reports\":1}]");
        assertThat(json(first.get(USAGE + "?group_by=tag:client")).path("usage").toString())
                .as("reports without the tag")
                .isEqualTo("[{\"credits\":60,\"reports\":1}]");
        assertThat(json(first.get(USAGE + "?from=2020-01-01&to=2020-02-01"))
                        .path("usage")
                        .size())
                .isZero();
    }

    @Test
    void tellsWhatHappenedToAReport() {
        JsonNode timeline = json(first.get(TIMELINE + complete));
        assertThat(timeline.path("report_id").asText()).isEqualTo(complete.toString());
        assertThat(timeline.path("events").toString())
                .isEqualTo(
                        "[{\"sequence\":1,\"status\":\"processing\",\"phase\":\"queued\",\"attempt\":1,\"progress\":0.0,"
                                + "\"occurred_at\":\"" + Json.format(requested.plusMillis(1000))
                                + "\",\"elapsed_millis\":1000},"
                                + "{\"sequence\":2,\"status\":\"complete\",\"outcome\":\"completed\",\"attempt\":1,\"occurred_at\":\""
                                + Json.format(requested.plusMillis(3500))
                                + "\",\"elapsed_millis\":3500,\"since_previous_millis\":2500}]");
        assertThat(timeline.path("entries").findValuesAsText("kind"))
                .containsExactly("reservation", "settlement", "release");
        assertThat(timeline.path("entries").findValuesAsText("dataset"))
                .hasSize(3)
                .containsOnly("demographics");
        JsonNode failed = json(first.get(TIMELINE + cancelled));
        assertThat(failed.path("events").path(1).path("error").path("code").asText())
                .isEqualTo("cancelled");
        assertThat(first.get(TIMELINE + complete, TestGateway.OTHER_KEY).statusCode())
                .isEqualTo(404);
    }

    @Test
    void tellsHowReportsEnded() {
        // Its last event may be folded after the entries that other tests have waited for.
        JsonNode answer = await().until(
                        () -> json(first.get(STATISTICS)),
                        found -> found.path("statistics").size() == 2);
        JsonNode demographics = answer.path("statistics").path(0);
        assertThat(demographics.path("dataset").asText()).isEqualTo("demographics");
        assertThat(demographics.path("complete").asLong()).isEqualTo(1);
        assertThat(demographics.path("rows").asLong()).isEqualTo(15);
        assertThat(demographics.path("credits").asLong()).isEqualTo(60);
        assertThat(demographics.path("p95_millis").asDouble()).isBetween(3500 * 0.968, 3500 * 1.032);
        JsonNode total = answer.path("total");
        assertThat(total.path("complete").asLong()).isEqualTo(1);
        assertThat(total.path("failed").asLong()).isZero();
        assertThat(total.path("cancelled").asLong()).isEqualTo(1);
        assertThat(total.has("day")).isFalse();
        // Only events of 30 days are kept.
        LocalDate today = day(Instant.now());
        assertThat(json(first.get(STATISTICS + "?from=" + today.minusDays(100)))
                        .path("from")
                        .asText())
                .isEqualTo(today.minusDays(29).toString());
        JsonNode other = json(first.get(STATISTICS, TestGateway.OTHER_KEY));
        assertThat(other.path("statistics").size()).isZero();
        assertThat(other.path("total").has("p50_millis")).isFalse();
    }

    @Test
    void anotherGatewayAnswersTheSame() {
        for (String path : List.of(ENTRIES, USAGE, TIMELINE + complete, TIMELINE + cancelled)) {
            assertThat(second.get(path).body())
                    .as(path)
                    .isEqualTo(first.get(path).body());
        }
        await().untilAsserted(() -> assertThat(second.get(STATISTICS).body())
                .isEqualTo(first.get(STATISTICS).body()));
    }

    /** One that is killed, or stopped, goes on; one without a store reads everything again. */
    @Test
    void goesOnAfterARestart() throws IOException {
        Path activity = folder.resolve("activity").resolve("third");
        String before;
        try (TestGateway gateway = answering(gateway("third"))) {
            before = gateway.get(ENTRIES).body();
            assertThat(before).contains("settlement");
        }
        try (TestGateway gateway = answering(gateway("third"))) {
            assertThat(gateway.get(ENTRIES).body()).isEqualTo(before);
        }
        assertThat(Files.isDirectory(activity.resolve("store"))).isTrue();
    }

    @Test
    void reportsDoNotWaitForTheStore() throws IOException {
        Path activity = folder.resolve("activity").resolve("fourth");
        Files.createDirectories(activity);
        Path obstacle = Files.writeString(activity.resolve("store"), "not a folder");
        try (TestGateway gateway = gateway("fourth")) {
            assertThat(gateway.ready()).isTrue();
            for (String path : List.of(ENTRIES, USAGE, STATISTICS, TIMELINE + complete)) {
                HttpResponse<String> answer = gateway.get(path);
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.headers().firstValue("Retry-After")).contains("1");
                assertThat(json(answer).path("errors").path(0).asText())
                        .isEqualTo(
                                "This gateway is still reading what happened to the accounts: 0 % are read; try again.");
            }
            assertThat(gateway.post("/v3/batch/demographics/request-report", TestGateway.REQUEST)
                            .statusCode())
                    .isEqualTo(200);
            Files.delete(obstacle);
            await().untilAsserted(() -> assertThat(gateway.get(ENTRIES).body()).contains("settlement"));
        }
    }

    @Test
    void isBuiltAgainWhileItIsUsed() {
        var settings = KafkaSettings.local(kafka.bootstrapServers(), 3, "activity-reader");
        List<String> completed = new CopyOnWriteArrayList<>();
        try (ActivityStore store = ActivityStore.in(folder.resolve("activity").resolve("fifth"), Clock.systemUTC());
                var reader = new ActivityReader(settings, store)) {
            store.listen(new ActivityListener() {
                @Override
                public void recorded(Set<String> accountIds) {}

                @Override
                public void complete() {
                    completed.add("complete");
                }
            });
            reader.start();
            await().until(() -> completed.size() == 1);
            Positions before = store.end();
            assertThat(store.ask(queries -> queries.lastEntry("acme"))).contains(6L);
            assertThat(store.store().distrust("a test says so").damaged()).isTrue();
            await().until(() -> completed.size() == 2);
            assertThat(store.end()).isEqualTo(before);
            assertThat(store.lost(before)).isEmpty();
            assertThat(store.ask(queries -> queries.lastEntry("acme"))).contains(6L);
            assertThat(store.after("acme", new Positions(before.topics(), Map.of()), 100)
                            .events())
                    .hasSize(10);
        }
    }

    private static JsonNode json(HttpResponse<String> answer) {
        try {
            return Json.MAPPER.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
