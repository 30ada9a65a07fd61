package millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.catalog.Catalog;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.topics.Topics;
import millrace.files.disk.DiskReportStore;
import millrace.gateway.api.datasets.TestDictionaries;
import millrace.gateway.fuzz.FuzzTarget;
import millrace.gateway.fuzz.GeneratedRequest;
import millrace.gateway.fuzz.RequestGenerator;
import millrace.gateway.fuzz.ResponseChecker;
import millrace.gateway.fuzz.ServedApiDocument;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.settings.KafkaSettings;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests made from the documents of both APIs, mutated down to the bytes on the socket. Whatever they are: no 5xx, nothing that
 * hangs, no answer that the document does not describe. {@code -Dfuzz.requests} says how many, {@code -Dfuzz.seed} which.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FuzzIT {
    private static final int REQUESTS = Integer.getInteger("fuzz.requests", 3000);
    private static final long SEED =
            Long.getLong("fuzz.seed", ThreadLocalRandom.current().nextInt(1_000_000));
    private static final int CONNECTIONS = 12;
    /** One of so many requests goes to the admin API. */
    private static final int ADMIN_SHARE = 8;

    private static final int SHOWN = Integer.getInteger("fuzz.shown", 10);

    @TempDir
    static Path folder;

    private TestKafka kafka;
    private TestGateway gateway;
    private FakeProcessor ledger;
    private TopicTailer cancelling;

    @BeforeAll
    void start() throws IOException {
        kafka = TestKafka.withTopics(3);
        gateway = TestGateway.startWithAdmin(kafka.bootstrapServers(), folder);
        ledger = new FakeProcessor(kafka.bootstrapServers());
        ledger.balance("acme", 100_000_000, 0);
        cancelling = cancelling();
        cancelling.start();
        // Until then what answers from the activity store is 503.
        await().until(() -> gateway.send("HEAD", "/v3/batch/events", TestGateway.KEY, null, Map.of())
                        .statusCode()
                == 200);
        publishEntities();
    }

    /** Without them the list of entities is 503. */
    private void publishEntities() throws IOException {
        var store = new DiskReportStore(folder, false);
        var months = new DatasetFacts.Span(LocalDate.parse("2025-01-01"), LocalDate.parse("2025-01-01"));
        for (String dataset : Catalog.builtIn().names()) {
            DatasetExample example = TestDictionaries.write(
                    store, dataset, "v1", List.of("example.com", "run", "running shoes"), Map.of("monthly", months));
            ledger.put(Topics.DATASET_EXAMPLES, dataset, example);
        }
        for (String dataset : Catalog.builtIn().names()) {
            await().until(() ->
                    gateway.get("/v3/batch/tables/" + dataset + "/entities").statusCode() == 200);
        }
    }

    @AfterAll
    void stop() {
        gateway.close();
        cancelling.close();
        ledger.close();
        kafka.close();
    }

    @Test
    void answersAsItsDocumentsSay() throws Exception {
        FuzzTarget open = open();
        FuzzTarget admin = admin();
        long began = System.nanoTime();
        var faults = new ConcurrentLinkedQueue<String>();
        List<Future<?>> sent = new ArrayList<>();
        // Changes of accounts are made one after the other; those who wait for them are to hold up nobody else.
        try (ExecutorService toOpen = Executors.newFixedThreadPool(CONNECTIONS);
                ExecutorService toAdmin = Executors.newFixedThreadPool(CONNECTIONS)) {
            for (int i = 0; i < REQUESTS; i++) {
                long seed = SEED * 1_000_003L + i;
                sent.add(
                        i % ADMIN_SHARE == 0
                                ? toAdmin.submit(() -> judge(admin, seed, faults))
                                : toOpen.submit(() -> judge(open, seed, faults)));
            }
        }
        for (Future<?> each : sent) {
            each.get();
        }
        System.out.printf(
                "%d requests in %d ms, -Dfuzz.seed=%d%n", REQUESTS, (System.nanoTime() - began) / 1_000_000, SEED);
        assertThat(faults.stream().limit(SHOWN))
                .as("%d of %d requests, -Dfuzz.seed=%d", faults.size(), REQUESTS, SEED)
                .isEmpty();
        assertThat(gateway.get("/health/readiness").statusCode()).isEqualTo(200);
    }

    /** Ends what is cancelled and forgets what is erased, as the processor does: until then the gateway does not answer. */
    private TopicTailer cancelling() {
        Map<UUID, Integer> attempts = new HashMap<>();
        var sequence = new AtomicInteger(10);
        var tailer = new TopicTailer(
                KafkaSettings.local(kafka.bootstrapServers(), 3, "ledger"), "cancelling", new FoldedOffsets());
        var unused = tailer.add(Topics.ACCOUNT_COMMANDS, TopicTailer.Beginning.OLDEST, record -> {
            switch (Topics.ACCOUNT_COMMANDS.decode(record.value())) {
                case AccountCommand.RetryReport(UUID id, int attempt) -> attempts.put(id, attempt);
                case AccountCommand.CancelReport(UUID id) ->
                    ledger.status(FakeProcessor.failed(
                            record.key(),
                            id,
                            attempts.getOrDefault(id, 1),
                            sequence.incrementAndGet(),
                            ErrorCode.CANCELLED));
                case AccountCommand.EraseReport(UUID id) -> ledger.erased(record.key(), id);
                default -> {}
            }
        });
        return tailer;
    }

    private static void judge(FuzzTarget target, long seed, Queue<String> faults) {
        GeneratedRequest probe = new RequestGenerator(target).probe(seed);
        URI address = target.address();
        new ResponseChecker(address)
                .fault(probe)
                .ifPresent(fault ->
                        faults.add(fault + "\n  " + probe.command(address.getHost(), address.getPort()) + "\n"));
    }

    private FuzzTarget open() throws IOException {
        UUID processing = submit();
        UUID failed = submit();
        UUID complete = submit();
        ledger.status(FakeProcessor.rendering("acme", processing, 1));
        ledger.status(FakeProcessor.failed("acme", failed, 1, 2, ErrorCode.RENDER_FAILED));
        String link = link(complete);
        String url = "https://receiver.example/hook";
        var delivery = new Deliver(processing + ".1", "acme", url, processing, 1, Instant.now(), "{}", "trace");
        ledger.put(Topics.DELIVERIES, delivery.endpoint(), delivery);
        await().until(() -> gateway.get("/v3/batch/webhooks/deliveries/" + delivery.eventId())
                        .statusCode()
                == 200);
        List<String> ids =
                List.of(delivery.eventId(), WebhookEndpoint.id(delivery.endpoint()), UUID.randomUUID() + ".1");
        return new FuzzTarget(
                gateway.address(),
                new ServedApiDocument(gateway.get("/openapi.json").body()),
                "api-key",
                TestGateway.KEY,
                Map.of("report_id", List.of(processing.toString(), failed.toString(), complete.toString()), "id", ids),
                Map.of("/v3/batch/download/{report_id}", link));
    }

    private UUID submit() throws IOException {
        HttpResponse<String> accepted = await().until(
                        () -> gateway.post("/v3/batch/demographics/request-report", TestGateway.REQUEST),
                        answer -> answer.statusCode() == 200);
        UUID id = UUID.fromString(
                Json.MAPPER.readTree(accepted.body()).path("report_id").asText());
        ledger.commands().stream()
                .filter(command -> command instanceof AccountCommand.RequestReport request
                        && request.reportId().equals(id))
                .forEach(request -> ledger.request("acme", (AccountCommand.RequestReport) request));
        return id;
    }

    /** A report's, whose file is there. */
    private String link(UUID id) throws IOException {
        String content = "line\r\n".repeat(1000);
        Path file = folder.resolve("a/1/0-1");
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        var part = new StoredFile("a/1/0-1", content.length(), Hashes.sha256(content));
        ledger.status(FakeProcessor.complete(
                "acme",
                id,
                1,
                new ReportStatus.Result(
                        new ResultCounts(1, 1, 0), 1, part, Instant.now().plusSeconds(9999))));
        JsonNode status = await().until(
                        () -> Json.MAPPER.readTree(
                                gateway.get("/v3/batch/request-status/" + id).body()),
                        s -> s.has("download_url"));
        URI link = URI.create(status.path("download_url").asText());
        return link.getRawPath() + "?" + link.getRawQuery();
    }

    private FuzzTarget admin() throws IOException, InterruptedException {
        URI address = gateway.adminAddress();
        HttpRequest document =
                HttpRequest.newBuilder(address.resolve("/openapi.json")).build();
        HttpRequest account = HttpRequest.newBuilder(address.resolve("/admin/v1/accounts"))
                .header("admin-key", TestGateway.ADMIN_KEY)
                .POST(HttpRequest.BodyPublishers.ofString("{\"id\":\"fuzzed\",\"name\":\"Fuzzed\"}"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(client.send(account, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(201);
            return new FuzzTarget(
                    address,
                    new ServedApiDocument(client.send(document, HttpResponse.BodyHandlers.ofString())
                            .body()),
                    "admin-key",
                    TestGateway.ADMIN_KEY,
                    Map.of("id", List.of("fuzzed", "fuzzed", "nobody"), "key", List.of("key_0")),
                    Map.of());
        }
    }
}
