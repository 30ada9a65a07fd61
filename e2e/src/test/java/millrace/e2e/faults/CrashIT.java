package millrace.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.topics.Topics;
import millrace.e2e.client.CommittedTopicReader;
import millrace.e2e.client.RetryingClient;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MillraceProcess;
import millrace.e2e.process.ProcessResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes are killed during acceptance, rendering and delivery, and all of it at once. Every accepted report ends, is
 * charged once and sends its webhooks; every grant of an operator counts once.
 */
class CrashIT {
    private static final int BEFORE_KILL = 25;
    private static final int CLIENTS = 4;
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    @TempDir
    Path data;

    private final RetryingClient client = new RetryingClient();
    private RetryingGrants operator;
    private final AtomicInteger requests = new AtomicInteger();
    private WebhookReceiver steady;
    /** A receiver that answers 500 for a while. */
    private WebhookReceiver failingReceiver;

    @BeforeEach
    void open() throws Exception {
        DemoDataFolder.create(data);
        operator = new RetryingGrants(data);
        steady = WebhookReceiver.start();
        failingReceiver = WebhookReceiver.start();
        failingReceiver.answer(() -> 500);
    }

    @AfterEach
    void close() {
        steady.close();
        failingReceiver.close();
    }

    @Test
    void whatWasAcceptedBeforeAKillEndsAndIsChargedOnce() throws Exception {
        failingReceiver.answer(() -> 200);
        String key;
        String kafka;
        try (var millrace = start()) {
            millrace.checkReady();
            key = millrace.batchKey();
            kafka = millrace.bootstrapServers();
            killedWhileAccepting(millrace);
        }
        try (var millrace = start()) {
            millrace.checkReady();
            assertThat(millrace.batchKey()).isEqualTo(key);
            assertThat(millrace.bootstrapServers())
                    .as("of those who read the topics")
                    .isEqualTo(kafka);
            client.repeatUnanswered(api(millrace));
            operator.repeat(millrace);
            check(millrace, api(millrace), List.of());
            ProcessResult second = ProcessResult.run(MillraceProcess.command(data), Map.of());
            assertThat(second.err()).isEqualTo("the data folder " + data + " is used by another process\n");
            assertThat(second.code()).isEqualTo(2);
            millrace.checkStop();
        }
    }

    @Test
    @Tag("thorough")
    void whatWasAcceptedEndsAndIsChargedOnceOverFourKills() throws Exception {
        List<String> large = new ArrayList<>();
        try (var millrace = start()) {
            killedWhileAccepting(millrace);
        }
        try (var millrace = start()) {
            BatchApiClient api = api(millrace);
            client.repeatUnanswered(api);
            large.add(killedWhileRendering(millrace, api));
        }
        Set<String> inHand;
        try (var millrace = start()) {
            BatchApiClient api = api(millrace);
            // A slice would be given up after three processes died while it was rendered, whatever killed them.
            api.ended(large.getFirst(), TIMEOUT);
            inHand = killedWhileDelivering(millrace, api);
        }
        try (var millrace = start()) {
            BatchApiClient api = api(millrace);
            large.add(Objects.requireNonNull(client.submit(api, withWebhook(DemoRequests.large()))));
            killedWhileAccepting(millrace);
        }
        failingReceiver.answer(() -> 200);
        try (var millrace = start()) {
            BatchApiClient api = api(millrace);
            client.repeatUnanswered(api);
            client.repeatAnswered(api);
            operator.repeat(millrace);
            check(millrace, api, large);
            for (String id : inHand) {
                assertThat(webhooks().filter(r -> r.id().equals(id)).count())
                        .as("deliveries of " + id + ", which was in hand")
                        .isGreaterThan(1);
            }
        }
    }

    private void killedWhileAccepting(MillraceProcess millrace) throws Exception {
        BatchApiClient api = api(millrace);
        var answered = new AtomicInteger();
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(clients.submit(() -> {
                    while (client.submit(api, small()) != null) {
                        if (answered.incrementAndGet() == BEFORE_KILL) {
                            millrace.kill();
                        }
                    }
                    return null;
                }));
            }
            running.add(clients.submit(() -> {
                operator.grantUntilItFails(millrace);
                return null;
            }));
            for (Future<?> one : running) {
                one.get();
            }
        }
        assertThat(answered.get()).isGreaterThanOrEqualTo(BEFORE_KILL);
    }

    private String killedWhileRendering(MillraceProcess millrace, BatchApiClient api) throws Exception {
        String large = Objects.requireNonNull(client.submit(api, withWebhook(DemoRequests.large())));
        await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(5)).until(() -> {
            JsonNode status = api.status(large).body();
            assertThat(status.path("status").asText()).isEqualTo("processing");
            return status.path("phase").asText().equals("rendering")
                    && status.path("progress").asDouble() > 0;
        });
        millrace.kill();
        return large;
    }

    /** The ids of the events that receivers had received and not answered when the sender died. */
    private Set<String> killedWhileDelivering(MillraceProcess millrace, BatchApiClient api) throws Exception {
        var killed = new CountDownLatch(1);
        Set<String> inHand = Collections.synchronizedSet(new HashSet<>());
        int before = steady.received().size();
        steady.answer(() -> {
            try {
                killed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 200;
        });
        for (int i = 0; i < CLIENTS; i++) {
            assertThat(client.submit(
                            api, DemoRequests.with(DemoRequests.small(requests.incrementAndGet()), steady.url())))
                    .isNotNull();
        }
        await().atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> steady.received().size() > before);
        steady.received().stream().skip(before).forEach(r -> inHand.add(r.id()));
        millrace.kill();
        killed.countDown();
        steady.answer(() -> 200);
        return inHand;
    }

    private void check(MillraceProcess millrace, BatchApiClient api, List<String> large) {
        Set<String> reports = client.reports();
        assertThat(reports).containsAll(large);
        for (String report : reports) {
            BatchApiClient.Answer ended = api.ended(report, TIMEOUT);
            assertThat(ended.text("status")).as(report + " " + ended.body()).isEqualTo("complete");
        }
        await().atMost(TIMEOUT).untilAsserted(() -> granted(millrace));
        Map<String, LedgerEntry> settlements = settlements(millrace);
        assertThat(settlements.keySet()).isEqualTo(reports);
        String secret = millrace.webhookSecret();
        for (String report : reports) {
            JsonNode status = api.status(report).body();
            assertThat(Objects.requireNonNull(settlements.get(report)).amount())
                    .isEqualTo(status.path("used_quota").asLong());
            String file = api.download(api.status(report));
            assertThat(Hashes.sha256(file)).isEqualTo(status.path("sha256").asText());
            assertThat(file.getBytes(StandardCharsets.UTF_8))
                    .hasSize(status.path("file_size").asInt());
            JsonNode query = api.get("/v3/batch/request-query/" + report).body();
            assertThat(Objects.requireNonNull(client.bodies().get(report)))
                    .contains(query.path("domains").path(0).asText())
                    .contains(query.path("webhook_url").asText());
        }
        assertThat(history(api)).hasSameSizeAs(reports).containsAll(reports);
        await().atMost(TIMEOUT).untilAsserted(() -> reports.forEach(r -> checkWebhooks(r, secret)));
    }

    /** Checks that each grant counts once, however often it was sent. */
    private void granted(MillraceProcess millrace) {
        List<LedgerEntry> ledger = CommittedTopicReader.read(millrace.bootstrapServers(), Topics.CREDIT_LEDGER);
        assertThat(ledger.getLast().granted()).isEqualTo(ledger.getFirst().granted() + operator.credits());
    }

    /** The settlements by report. Checks every entry of the ledger too. */
    private static Map<String, LedgerEntry> settlements(MillraceProcess millrace) {
        List<LedgerEntry> ledger = CommittedTopicReader.read(millrace.bootstrapServers(), Topics.CREDIT_LEDGER);
        assertThat(ledger).extracting(LedgerEntry::entryId).doesNotHaveDuplicates();
        for (int i = 0; i < ledger.size(); i++) {
            LedgerEntry e = ledger.get(i);
            assertThat(e.sequence()).isEqualTo(i + 1);
            assertThat(e.granted()).isEqualTo(e.remaining() + e.reserved() + e.used());
        }
        LedgerEntry last = ledger.getLast();
        List<LedgerEntry> settlements = ledger.stream()
                .filter(e -> e.kind() == LedgerEntry.Kind.SETTLEMENT)
                .toList();
        assertThat(last.reserved()).isZero();
        assertThat(last.used())
                .isEqualTo(settlements.stream().mapToLong(LedgerEntry::amount).sum());
        // toMap fails where a report has two settlements.
        return settlements.stream().collect(Collectors.toMap(e -> String.valueOf(e.reportId()), e -> e));
    }

    /** Checks that each change has exactly one event, which may have arrived several times with the same body. */
    private void checkWebhooks(String report, String secret) {
        List<WebhookReceiver.Received> came =
                webhooks().filter(r -> r.report().equals(report)).toList();
        Map<String, Set<String>> textsById = came.stream()
                .collect(Collectors.groupingBy(
                        r -> r.verified(secret).id(),
                        Collectors.mapping(WebhookReceiver.Received::text, Collectors.toSet())));
        assertThat(textsById.keySet()).containsExactlyInAnyOrder(report + ".1", report + ".2");
        assertThat(textsById.values()).allMatch(texts -> texts.size() == 1);
        assertThat(came).extracting(WebhookReceiver.Received::status).contains("processing", "complete");
    }

    private static List<String> history(BatchApiClient api) {
        List<String> ids = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page =
                    api.get("/v3/batch/report-history?limit=100" + cursor).body();
            page.path("reports").forEach(r -> ids.add(r.path("report_id").asText()));
            cursor = page.path("next_cursor").isTextual()
                    ? "&cursor=" + page.path("next_cursor").asText()
                    : "";
        } while (!cursor.isEmpty());
        return ids;
    }

    private Stream<WebhookReceiver.Received> webhooks() {
        return Stream.concat(steady.received().stream(), failingReceiver.received().stream());
    }

    private String small() {
        return withWebhook(DemoRequests.small(requests.incrementAndGet()));
    }

    private String withWebhook(String request) {
        return DemoRequests.with(request, (requests.get() % 2 == 0 ? steady : failingReceiver).url());
    }

    private static BatchApiClient api(MillraceProcess millrace) {
        return BatchApiClient.of(millrace, millrace.batchKey());
    }

    private MillraceProcess start() throws Exception {
        return MillraceProcess.start(
                data,
                DemoDataFolder.arguments(
                        "--gateway.requests-per-second=100000",
                        "--gateway.open-reports=10000",
                        "--management.port=0",
                        "--notifier.retries=500ms," + String.join(",", Collections.nCopies(200, "1s"))));
    }
}
