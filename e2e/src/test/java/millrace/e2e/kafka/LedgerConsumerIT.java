package millrace.e2e.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.contracts.Json;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.data.OperatorDataFolder;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MillraceProcess;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A consumer of the public topics that has only the broker's address and {@code docs/asyncapi.yaml}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LedgerConsumerIT {
    private static final Map<String, Long> CREDITS = Map.of("first", 1_000L, "second", 200L);
    private static final String KEYWORDS = """
            {"keywords":["k1","k%d"],"countries":["US"],"metrics":["all_keyword_volume"],"start_date":"2026-01",
             "end_date":"2026-09","granularity":"monthly","webhook_url":"%s"}""";
    private static final String DEMOGRAPHICS = """
            {"domains":["d1.example"],"countries":["US"],"metrics":["demographics_share"],"start_date":"2026-01",
             "end_date":"2026-02","granularity":"monthly"}""";
    private static final String UNAVAILABLE = """
            {"domains":["d1.example"],"metrics":["category_sales_performance_product_views"],"start_date":"2026-01-01",
             "end_date":"2026-01-10","granularity":"daily","webhook_url":"%s"}""";

    private final AsyncApiChecks promises = promises();
    private MillraceProcess millrace;
    private List<ConsumerRecord<String, byte[]>> records = List.of();
    private final Map<String, String> accountByReport = new HashMap<>();

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        OperatorDataFolder own = OperatorDataFolder.create(folder.resolve("data"), CREDITS);
        millrace = MillraceProcess.start(
                own.data(), "--gateway.requests-per-second=100000", "--notifier.retries=50ms,50ms");
        // The version is current but missing, so that the report fails after its reservation.
        own.announce("traffic_and_engagement", "v0");
        try (WebhookReceiver receiver = WebhookReceiver.start();
                WebhookReceiver broken = WebhookReceiver.start()) {
            broken.answer(() -> 500);
            for (String account : CREDITS.keySet()) {
                BatchApiClient api = BatchApiClient.of(millrace, OperatorDataFolder.key(account));
                List<String> reports = new ArrayList<>(IntStream.range(2, 9)
                        .mapToObj(k -> api.submit("keywords", KEYWORDS.formatted(k, receiver.url())))
                        .toList());
                reports.add(api.submit("demographics", DEMOGRAPHICS));
                reports.add(api.submit("traffic_and_engagement", UNAVAILABLE.formatted(broken.url())));
                reports.add(api.submit("demographics", DEMOGRAPHICS.replace("d1.", "nobody.")));
                reports.forEach(api::ended);
                reports.forEach(report -> accountByReport.put(report, account));
            }
            // The only webhook of each refused report is given up after three attempts; the first attempt delivers all
            // others.
            // The versions are announced beside them.
            records = read(found -> of("webhook-dead-letters", found).size() >= 2
                    && of("webhook-attempts", found).size() >= 2 * (7 * 2 + 3)
                    && promises.names().stream()
                            .noneMatch(topic -> of(topic, found).isEmpty()));
        }
    }

    @AfterAll
    void stop() {
        millrace.close();
    }

    @Test
    void theEntriesAloneGiveTheBalance() {
        Map<String, Balance> balances = new HashMap<>();
        Set<String> ids = new HashSet<>();
        for (ConsumerRecord<String, byte[]> found : of("credit-ledger", records)) {
            JsonNode entry = json(found);
            assertThat(found.key()).isEqualTo(entry.path("account_id").asText());
            assertThat(ids.add(found.key() + " " + entry.path("entry_id").asText()))
                    .as("%s", entry)
                    .isTrue();
            balances.computeIfAbsent(found.key(), k -> new Balance()).take(entry);
        }
        assertThat(balances.keySet()).isEqualTo(CREDITS.keySet());
        CREDITS.forEach((account, granted) -> {
            Balance balance = balances.getOrDefault(account, new Balance());
            assertThat(balance.granted).isEqualTo(granted);
            assertThat(balance.reserved).isZero();
            JsonNode capabilities = BatchApiClient.of(millrace, "")
                    .get("/capabilities?api_key=rest-" + account)
                    .body();
            assertThat(balance.remaining())
                    .isEqualTo(capabilities.path("remaining_hits").asLong());
            assertThat(balance.used).isPositive();
        });
    }

    @Test
    void everyCompleteReportIsSettledOnceForWhatItCost() {
        Map<String, Long> settled = new HashMap<>();
        for (ConsumerRecord<String, byte[]> found : of("credit-ledger", records)) {
            JsonNode entry = json(found);
            if (entry.path("kind").asText().equals("settlement")) {
                assertThat(settled.put(
                                entry.path("report_id").asText(),
                                entry.path("amount").asLong()))
                        .as("%s", entry)
                        .isNull();
            }
        }
        Map<String, Long> complete = new HashMap<>();
        Map<String, Integer> sequences = new HashMap<>();
        for (ConsumerRecord<String, byte[]> found : of("report-events", records)) {
            JsonNode report = json(found).path("report");
            assertThat(found.key()).isEqualTo(report.path("report_id").asText());
            assertThat(report.path("sequence").asInt()).isEqualTo(sequences.merge(found.key(), 1, Integer::sum));
            if (report.path("status").asText().equals("complete")) {
                assertThat(complete.put(
                                found.key(), report.at("/result/used_quota").asLong()))
                        .isNull();
            }
        }
        assertThat(sequences.keySet()).isEqualTo(accountByReport.keySet());
        assertThat(complete).hasSize(18).isEqualTo(settled).containsValue(0L);
    }

    @Test
    void theNewestStatusIsWhatTheServiceAnswers() {
        Map<String, JsonNode> newest = new HashMap<>();
        of("report-status", records).forEach(found -> newest.put(found.key(), json(found)));
        assertThat(newest).hasSize(accountByReport.size());
        accountByReport.forEach((report, account) -> {
            JsonNode topic = newest.getOrDefault(account + "/" + report, Json.MAPPER.nullNode());
            JsonNode answer = BatchApiClient.of(millrace, OperatorDataFolder.key(account))
                    .status(report)
                    .body();
            for (String field : List.of(
                    "report_id",
                    "dataset",
                    "status",
                    "sequence",
                    "submitted_at",
                    "updated_at",
                    "estimated_credits",
                    "receipt",
                    "error")) {
                assertThat(answer.path(field)).as(field).isEqualTo(topic.path(field));
            }
            assertThat(answer.path("used_quota")).isEqualTo(topic.at("/result/used_quota"));
            assertThat(answer.path("row_count")).isEqualTo(topic.at("/result/counts/rows"));
            assertThat(answer.path("data_points_count")).isEqualTo(topic.at("/result/counts/results"));
            assertThat(answer.path("sha256")).isEqualTo(topic.at("/result/file/sha256"));
        });
    }

    @Test
    void endpointsHaveTheIdsOfTheApi() {
        CREDITS.keySet().forEach(account -> {
            Set<String> topic = new HashSet<>();
            for (ConsumerRecord<String, byte[]> found : of("webhook-attempts", records)) {
                JsonNode attempt = json(found);
                if (attempt.path("account_id").asText().equals(account)) {
                    topic.add(attempt.path("endpoint_id").asText());
                }
            }
            JsonNode endpoints = BatchApiClient.of(millrace, OperatorDataFolder.key(account))
                    .get("/v3/batch/webhooks/endpoints")
                    .body();
            assertThat(topic)
                    .hasSize(2)
                    .containsExactlyInAnyOrderElementsOf(
                            endpoints.path("endpoints").findValuesAsText("endpoint"));
        });
    }

    @Test
    void everyRecordIsWhatTheDocumentPromises() throws IOException {
        Set<String> events = new HashSet<>();
        Set<String> seen = new HashSet<>();
        for (ConsumerRecord<String, byte[]> found : records) {
            promises.holds(found);
            String id =
                    new String(found.headers().lastHeader("ce_id").value(), java.nio.charset.StandardCharsets.UTF_8);
            if (!found.topic().startsWith("webhook-")) {
                assertThat(events.add(found.topic() + " " + id)).as(id).isTrue();
            }
            seen.add(found.topic());
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(promises.names());
    }

    /** Applies each kind of entry as the document describes. */
    private static final class Balance {
        private long sequence;
        private long granted;
        private long reserved;
        private long used;

        long remaining() {
            return granted - reserved - used;
        }

        void take(JsonNode entry) {
            long amount = entry.path("amount").asLong();
            switch (entry.path("kind").asText()) {
                case "grant" -> granted += amount;
                case "expiry" -> granted -= amount;
                case "reservation" -> reserved += amount;
                case "release" -> reserved -= amount;
                case "settlement" -> {
                    reserved -= amount;
                    used += amount;
                }
                default -> assertThat(entry.path("kind").asText()).isEqualTo("opening");
            }
            sequence++;
            assertThat(List.of(sequence, granted, reserved, used, remaining()))
                    .as("%s", entry)
                    .isEqualTo(List.of(
                            entry.path("sequence").asLong(),
                            entry.path("granted").asLong(),
                            entry.path("reserved").asLong(),
                            entry.path("used").asLong(),
                            entry.path("remaining").asLong()));
            assertThat(remaining()).isNotNegative();
        }
    }

    private List<ConsumerRecord<String, byte[]>> read(Predicate<List<ConsumerRecord<String, byte[]>>> enough) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", millrace.bootstrapServers(),
                "isolation.level", "read_committed",
                "auto.offset.reset", "earliest");
        List<ConsumerRecord<String, byte[]>> found = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = promises.names().stream()
                    .flatMap(topic -> consumer.partitionsFor(topic).stream())
                    .map(p -> new TopicPartition(p.topic(), p.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (!enough.test(found)) {
                assertThat(System.nanoTime())
                        .as(() -> "records "
                                + found.stream()
                                        .collect(Collectors.groupingBy(ConsumerRecord::topic, Collectors.counting())))
                        .isLessThan(deadline);
                consumer.poll(Duration.ofMillis(200)).forEach(found::add);
            }
            consumer.endOffsets(partitions).forEach((partition, end) -> {
                while (consumer.position(partition) < end) {
                    consumer.poll(Duration.ofMillis(200)).forEach(found::add);
                }
            });
        }
        return found;
    }

    private static List<ConsumerRecord<String, byte[]>> of(String topic, List<ConsumerRecord<String, byte[]>> all) {
        return all.stream().filter(found -> found.topic().equals(topic)).toList();
    }

    private static JsonNode json(ConsumerRecord<String, byte[]> found) {
        try {
            return Json.MAPPER.readTree(found.value());
        } catch (IOException e) {
            throw new AssertionError(found.topic() + " " + found.key(), e);
        }
    }

    private static AsyncApiChecks promises() {
        try {
            return AsyncApiChecks.read();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
