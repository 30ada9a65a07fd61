package millrace.gateway.copy.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import millrace.contracts.Hashes;
import millrace.contracts.commands.AccountCommand.Idempotency;
import millrace.contracts.reports.Status;
import millrace.contracts.topics.Topics;
import millrace.gateway.FakeProcessor;
import millrace.gateway.api.status.RequestLookup;
import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.RowBatch;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.service.CatalogAgreement;
import millrace.runtime.settings.KafkaSettings;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** What a gateway goes on from at its start, with a real Kafka. A row that is deleted in between shows which it was. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ModelReaderIT {
    private static final LocalDatabase.Bounds BOUNDS = new LocalDatabase.Bounds(1 << 20, 1 << 20, 64);
    private static final int REPORTS = 30;

    @TempDir
    Path root;

    private TestKafka kafka;
    private FakeProcessor ledger;

    @BeforeAll
    void start() {
        kafka = TestKafka.withTopics(3);
        ledger = new FakeProcessor(kafka.bootstrapServers());
        for (int n = 0; n < REPORTS; n++) {
            ledger.status(SampleRecords.processing(n, 1, 1));
            ledger.request(SampleRecords.ACCOUNT, SampleRecords.request(n, SampleRecords.key("k" + n)));
        }
        ledger.balance(SampleRecords.ACCOUNT, 1000, REPORTS);
    }

    @AfterAll
    void stop() {
        ledger.close();
        kafka.close();
    }

    private KafkaSettings kafkaSettings() {
        return KafkaSettings.local(kafka.bootstrapServers(), 3, "model-reader");
    }

    /** A gateway's read model and its reader. */
    private final class Reading implements AutoCloseable {
        final ReadModel model;
        final ModelReader reader;
        private volatile boolean completed;

        Reading(Path folder) {
            model = ReadModel.in(folder, 1 << 20);
            reader = new ModelReader(
                    kafkaSettings(),
                    "millrace-processor",
                    model,
                    new AlreadyFoldedCommands(),
                    new FoldedOffsets(),
                    new CatalogAgreement(query -> Optional.empty(), InstantSource.system()),
                    InstantSource.system());
            reader.start(() -> completed = true);
            await().until(reader::current);
            assertThat(reader.left()).isEmpty();
            assertThat(completed).isTrue();
        }

        @Override
        public void close() {
            reader.close();
            model.close();
        }
    }

    @Test
    void goesOnWhereItsRowsEnd() {
        Path folder = root.resolve("on");
        UUID gone = SampleRecords.id(3);
        try (var first = new Reading(folder)) {
            assertThat(first.model.size()).isEqualTo(REPORTS);
            assertThat(first.model.report(gone).orElseThrow().request()).isPresent();
        }
        change(folder, (database, rows) -> rows.delete(StoredReports.placeKey(gone)));
        try (var second = new Reading(folder)) {
            assertThat(second.model.report(gone)).isEmpty();
            assertThat(second.model.report(SampleRecords.id(4))).isPresent();
            assertThat(second.model.open()).isEqualTo(REPORTS);
            assertThat(second.model.balance(SampleRecords.ACCOUNT).orElseThrow().remaining())
                    .isEqualTo(1000);
            ledger.status(SampleRecords.complete(0, 1, 2));
            await().until(() ->
                    second.model.report(SampleRecords.id(0)).orElseThrow().word() == Status.COMPLETE);
        }
    }

    /** Statuses say when their requests were written. */
    @Test
    void findsRequestsThatItHasNotRead() {
        try (var reading = new Reading(root.resolve("unread"));
                var lookup = new RequestLookup(kafkaSettings())) {
            for (int n = 0; n < REPORTS; n++) {
                RequestPosition position = position(reading.model, n);
                assertThat(position).isInstanceOf(RequestPosition.Since.class);
                assertThat(lookup.read(SampleRecords.ACCOUNT, SampleRecords.id(n), position))
                        .contains(SampleRecords.request(n, SampleRecords.key("k" + n)));
            }
            for (Instant time : List.of(SampleRecords.NOON, Instant.now())) {
                var nothing = new RequestPosition.Since(0, time);
                assertThat(lookup.read(SampleRecords.ACCOUNT, SampleRecords.id(REPORTS), nothing))
                        .isEmpty();
            }
        }
    }

    /** A processor of an earlier build writes statuses that do not say it. It comes last, since the status stays. */
    @Test
    @Order(Integer.MAX_VALUE)
    void readsTheRequestsWhereAStatusDoesNotSayWhatItNeeds() {
        Path folder = root.resolve("earlier");
        int late = REPORTS + 1;
        var wanted = new Reservation(UUID.randomUUID(), 1, 1, ofAnotherRequest("late"));
        try (var reading = new Reading(folder)) {
            ledger.request(SampleRecords.ACCOUNT, SampleRecords.request(late, SampleRecords.key("late")));
            String key = Topics.reportKey(SampleRecords.ACCOUNT, SampleRecords.id(late));
            ledger.put(Topics.REPORT_STATUS, key, SampleRecords.processing(late, 1, 1));
            await().until(() -> reading.model
                    .report(SampleRecords.id(late))
                    .flatMap(ReportView::request)
                    .isPresent());
            await().until(reading.reader::current);
            assertThat(position(reading.model, late)).isInstanceOf(RequestPosition.Settled.class);
            assertThat(reading.model
                            .standing(SampleRecords.ACCOUNT, wanted, List.of())
                            .keyTaken())
                    .isTrue();
        }
        try (var again = new Reading(folder);
                var lookup = new RequestLookup(kafkaSettings())) {
            assertThat(lookup.read(SampleRecords.ACCOUNT, SampleRecords.id(late), position(again.model, late)))
                    .isPresent();
            int later = late + 1;
            ledger.request(SampleRecords.ACCOUNT, SampleRecords.request(later, SampleRecords.key("later")));
            var same = new Reservation(UUID.randomUUID(), 1, 1, ofAnotherRequest("later"));
            await().until(() ->
                    again.model.standing(SampleRecords.ACCOUNT, same, List.of()).keyTaken());
        }
    }

    private static Idempotency ofAnotherRequest(String key) {
        return new Idempotency(Hashes.sha256(key), Hashes.sha256("another request"));
    }

    private static RequestPosition position(ReadModel model, int n) {
        return model.report(SampleRecords.id(n)).orElseThrow().request().orElseThrow();
    }

    /** Another leader of the partition has cut off what this one had read, and has written something else there. */
    @Test
    void beginsAgainWhereTheLogIsAnotherOne() {
        Path folder = root.resolve("diverged");
        UUID gone = SampleRecords.id(3);
        new Reading(folder).close();
        change(folder, (database, rows) -> {
            rows.delete(StoredReports.placeKey(gone));
            TopicState.positions(database)
                    .forEach((partition, position) -> TopicState.put(
                            rows,
                            Map.of(partition, new OffsetAndMetadata(position.offset(), Optional.of(99), "")),
                            Instant.now().toEpochMilli()));
        });
        try (var second = new Reading(folder)) {
            await().until(() ->
                    second.reader.current() && second.model.report(gone).isPresent());
        }
    }

    @Test
    void isBuiltAgainWhileItIsUsed() {
        try (var reading = new Reading(root.resolve("used"))) {
            assertThat(reading.model.store().distrust("a test says so").damaged())
                    .isTrue();
            ledger.status(SampleRecords.processing(7, 1, 1));
            await().until(() -> !reading.reader.current());
            await().until(reading.reader::current);
            assertThat(reading.model.size()).isEqualTo(REPORTS);
            assertThat(reading.model
                            .history(
                                    SampleRecords.ACCOUNT,
                                    null,
                                    new HistoryFilter(Status.PROCESSING, null, null, null),
                                    100)
                            .found())
                    .hasSizeGreaterThanOrEqualTo(REPORTS - 1);
        }
    }

    private static void change(Path folder, BiConsumer<LocalDatabase, RowBatch> change) {
        try (LocalDatabase database = LocalDatabase.open(folder.resolve("store"), BOUNDS);
                RowBatch rows = database.batch()) {
            change.accept(database, rows);
            database.write(rows);
        }
    }
}
