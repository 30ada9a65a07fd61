package millrace.e2e.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.contracts.Json;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.e2e.client.CommittedTopicReader;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.data.OperatorDataFolder;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MillraceProcess;
import millrace.testing.TestTrino;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Trino with the files of {@code docker/trino} reads the public topics as tables, and the SQL of the guide says what is in them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("thorough") // a Trino server
class TopicTablesIT {
    private static final Map<String, Long> CREDITS = Map.of("first", 1_000L, "second", 200L);
    private static final Pattern SQL = Pattern.compile("(?ms)^```sql\\n(.*?)^```$");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String KEYWORDS = """
            {"keywords":["k1","k%d"],"countries":["US"],"metrics":["all_keyword_volume"],"start_date":"2026-01",
             "end_date":"2026-09","granularity":"monthly","webhook_url":"%s"}""";
    private static final String DEMOGRAPHICS = """
            {"domains":["d1.example"],"countries":["US"],"metrics":["demographics_share"],"start_date":"2026-01",
             "end_date":"2026-02","granularity":"monthly","webhook_url":"%s"}""";

    private MillraceProcess millrace;
    private TestTrino trino;
    private Connection tables;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        assumeThat(TestTrino.isHere()).as(TestTrino.MISSING).isTrue();
        millrace = MillraceProcess.start(
                OperatorDataFolder.create(folder.resolve("data"), CREDITS).data(), "--notifier.retries=50ms,50ms");
        try (WebhookReceiver receiver = WebhookReceiver.start();
                WebhookReceiver broken = WebhookReceiver.start()) {
            broken.answer(() -> 500);
            for (String account : CREDITS.keySet()) {
                BatchApiClient api = BatchApiClient.of(millrace, OperatorDataFolder.key(account));
                List<String> reports = new ArrayList<>(IntStream.range(2, 9)
                        .mapToObj(k -> api.submit("keywords", KEYWORDS.formatted(k, receiver.url())))
                        .toList());
                reports.add(api.submit("demographics", DEMOGRAPHICS.formatted(broken.url())));
                reports.forEach(api::ended);
            }
            // Both events of each report with a broken receiver are given up after three attempts; the others arrive.
            // The
            // folder has four datasets.
            await("webhooks")
                    .atMost(TIMEOUT)
                    .until(() -> read(Topics.WEBHOOK_DEAD_LETTERS).size() == 4
                            && read(Topics.WEBHOOK_ATTEMPTS).size() == 2 * (7 * 2 + 2 * 3)
                            && read(Topics.DATASET_VERSIONS).size() == 4);
        }
        abort(read(Topics.CREDIT_LEDGER).getFirst());
        trino = TestTrino.start(
                folder.resolve("trino"),
                Path.of("../docker/trino"),
                Map.of("KAFKA_BROKERS", millrace.bootstrapServers()));
        tables = trino.connect("kafka/millrace");
        // The server has started before it has told itself, as one of its nodes, which catalogs it has.
        await("a node for the catalog")
                .atMost(TIMEOUT)
                .ignoreExceptionsInstanceOf(SQLException.class)
                .until(() -> rows("SELECT 1 FROM report_status LIMIT 1").equals(List.of("1")));
    }

    @AfterAll
    void stop() throws Exception {
        if (millrace != null) {
            millrace.close();
        }
        if (trino != null) {
            trino.close();
        }
    }

    /** With every column, so that each is decoded. */
    @ParameterizedTest
    @MethodSource("publicTopics")
    void aTableHasEveryRecordOfItsTopic(Topic<?> topic) throws SQLException {
        String table = topic.name().replace('-', '_');
        assertThat(rows("SELECT * FROM " + table)).hasSameSizeAs(read(topic)).isNotEmpty();
        assertThat(rows("SELECT DISTINCT _message_corrupt FROM " + table)).containsExactly("false");
    }

    @Test
    void creditsPerAccountAndDay() throws Exception {
        List<LedgerEntry> settled = read(Topics.CREDIT_LEDGER).stream()
                .filter(entry -> entry.kind() == LedgerEntry.Kind.SETTLEMENT)
                .toList();
        assertThat(settled).hasSize(16);
        assertThat(query("AS credits"))
                .isEqualTo(sums(
                        settled,
                        entry -> entry.accountId() + " "
                                + entry.occurredAt().toString().substring(0, 10),
                        LedgerEntry::amount));
    }

    /** What is approximate in a small group lies between its neighbours. */
    @Test
    void durationsPerDataset() throws Exception {
        Map<String, List<Long>> millis = new TreeMap<>();
        for (ReportEvent event : read(Topics.REPORT_EVENTS)) {
            if (event.report().status() == Status.COMPLETE) {
                millis.computeIfAbsent(event.report().dataset(), dataset -> new ArrayList<>())
                        .add(event.timings().elapsedMillis());
            }
        }
        assertThat(query("AS p95_millis")).hasSize(2).allSatisfy(row -> {
            String[] cells = row.split(" ", -1);
            List<Long> each =
                    millis.getOrDefault(cells[0], List.of()).stream().sorted().toList();
            assertThat(each).hasSize(Integer.parseInt(cells[1]));
            assertThat(Long.parseLong(cells[2]))
                    .isBetween(each.get((int) Math.floor(0.95 * each.size()) - 1), each.getLast());
        });
    }

    @Test
    void whatIsLeftIsWhatTheApiSays() throws Exception {
        assertThat(query("AS remaining"))
                .isEqualTo(sums(CREDITS.keySet(), account -> account, account -> BatchApiClient.of(
                                millrace, OperatorDataFolder.key(account))
                        .remainingCredits()));
    }

    @Test
    void reportsByTheirNewestStatus() throws Exception {
        Map<String, ReportStatus> newest = new TreeMap<>();
        read(Topics.REPORT_STATUS)
                .forEach(status -> newest.put(status.reportId().toString(), status));
        assertThat(newest).hasSize(16);
        assertThat(query("SELECT status, count"))
                .isEqualTo(sums(newest.values(), status -> status.status().word(), status -> 1L));
    }

    @Test
    void attemptsPerEndpoint() throws Exception {
        assertThat(query("AS attempts"))
                .hasSize(6)
                .isEqualTo(sums(
                        read(Topics.WEBHOOK_ATTEMPTS),
                        attempt -> attempt.accountId() + " " + attempt.endpointId() + " " + word(attempt.outcome()),
                        attempt -> 1L));
    }

    /** Of accounts and reports that nobody else has written of. */
    @Test
    void recordsOfAbortedTransactionsAreNotThere() throws SQLException {
        assertThat(rows("SELECT DISTINCT account_id FROM credit_ledger ORDER BY account_id"))
                .containsExactly("first", "second");
    }

    private void abort(LedgerEntry entry) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", millrace.bootstrapServers(), "transactional.id", "aborted");
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            String value = new String(Topics.CREDIT_LEDGER.encode(entry), StandardCharsets.UTF_8)
                    .replace("\"" + entry.accountId() + "\"", "\"aborted\"");
            var unused = producer.send(new ProducerRecord<>(
                    Topics.CREDIT_LEDGER.name(), "aborted", value.getBytes(StandardCharsets.UTF_8)));
            producer.flush();
            producer.abortTransaction();
        }
    }

    private <V> List<V> read(Topic<V> topic) {
        return CommittedTopicReader.read(millrace.bootstrapServers(), topic);
    }

    private static <V> List<String> sums(Collection<V> values, Function<V, String> group, ToLongFunction<V> number) {
        Map<String, Long> sums = new TreeMap<>();
        values.forEach(value -> sums.merge(group.apply(value), number.applyAsLong(value), Long::sum));
        return sums.entrySet().stream()
                .map(sum -> sum.getKey() + " " + sum.getValue())
                .toList();
    }

    private static String word(WebhookAttempt.Outcome outcome) {
        return Json.MAPPER.valueToTree(outcome).asText();
    }

    /** The result of the guide's only query that has the text. */
    private List<String> query(String text) throws SQLException, IOException {
        List<String> found = SQL.matcher(Files.readString(Path.of("../docs/guides/analytics.md")))
                .results()
                .map((MatchResult block) -> block.group(1))
                .filter(sql -> sql.contains(text))
                .toList();
        assertThat(found).as("queries with %s", text).hasSize(1);
        return rows(found.getFirst());
    }

    /** Rows as text, with a blank between cells. */
    private List<String> rows(String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = tables.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            while (found.next()) {
                List<String> cells = new ArrayList<>();
                for (int column = 1; column <= found.getMetaData().getColumnCount(); column++) {
                    cells.add(String.valueOf(found.getObject(column)));
                }
                rows.add(String.join(" ", cells));
            }
        }
        return rows;
    }

    private static Stream<Topic<?>> publicTopics() {
        return Topics.ALL.stream().filter(topic -> topic.audience() == Topic.Audience.PUBLIC);
    }
}
