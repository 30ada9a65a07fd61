package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.FileDeletion;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.LedgerReport;
import millrace.processor.ledger.decide.LedgerSamples;
import millrace.processor.ledger.state.LedgerStores;
import millrace.processor.ledger.state.LedgerTimers;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * State of builds before v0.3.0, which kept reports whole after their end: 450 that are complete, one that can be
 * retried, and one that is open.
 */
class StateMigrationTest {
    private static final int MANY = 450;
    private static final UUID FAILED = LedgerSamples.id("failed");
    private static final UUID OPEN = LedgerSamples.id("open");
    private static final SliceRef SLICE = new SliceRef(OPEN, 1, 0, 1);

    @TempDir
    Path folder;

    private LedgerTestDriver ledger;
    private int others;

    @SuppressWarnings("NullAway.Init")
    StateMigrationTest() {}

    @BeforeEach
    void open() throws IOException {
        ledger = LedgerTestDriver.open(folder.resolve("new"));
        try (LedgerTestDriver before = LedgerTestDriver.open(folder.resolve("old"))) {
            before.send("acme", new AccountCommand.GrantCredits("opening-acme", 1000, "bought"));
            before.send("acme", LedgerSamples.request(FAILED, 100, 5, 2, null));
            before.send("acme", new AccountCommand.CancelReport(FAILED));
            before.send("acme", LedgerSamples.request(OPEN, 100, 5, 2, null));
            LedgerReport open = Json.MAPPER.readValue(before.stored("reports/acme/" + OPEN), LedgerReport.class);
            for (int i = 0; i < MANY; i++) {
                keepWhole(before, open, i);
            }
            before.overwrite("form/ledger", "3".getBytes(StandardCharsets.UTF_8));
            before.moveTo(ledger);
        }
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    private static UUID id(int i) {
        return LedgerSamples.id("ended" + i);
    }

    private static StoredFile file(int i) {
        return LedgerSamples.file(new SliceRef(id(i), 1, 0, 1));
    }

    private static AccountCommand.RequestReport request(int i) {
        return LedgerSamples.withKey(LedgerSamples.request(id(i), 100, 5, 2, null), "key" + i, "h");
    }

    /** The rows that a complete report had. */
    private static void keepWhole(LedgerTestDriver before, LedgerReport open, int i) {
        Instant now = LedgerSamples.NOON;
        Instant expires = now.plus(Duration.ofDays(30));
        ReportStatus status = request(i)
                .undecidedStatus("acme")
                .started(1, now)
                .completed(new ReportStatus.Result(new ResultCounts(1, 10, 0), 10, file(i), expires), now);
        var whole = new LedgerReport(
                status,
                open.quote(),
                open.webhookUrl(),
                open.traceparent(),
                null,
                open.retentionDays(),
                open.historyDays(),
                null);
        String key = "acme/" + id(i);
        byte[] item = Json.bytes(new LedgerTimers.Item("acme", id(i)));
        before.overwrite("reports/" + key, Json.bytes(whole));
        before.overwrite("requests/" + key, Json.bytes(request(i)));
        before.overwrite("idempotency/acme/key" + i, Json.bytes(id(i)));
        before.overwrite("agenda/" + time(now.plus(Duration.ofDays(400))) + "/" + key, item);
        before.overwrite("file-agenda/" + time(expires.plus(Duration.ofHours(1))) + "/" + key, item);
    }

    private static String time(Instant at) {
        return "000" + at.toEpochMilli();
    }

    private void migrate() {
        for (int second = 0; second < 10; second++) {
            ledger.pass(Duration.ofSeconds(1));
        }
    }

    @Test
    void nothingIsKeptWholeThatIsOver() {
        assertThat(ledger.stored("form/ledger")).isEqualTo("3");
        ledger.pass(Duration.ofSeconds(1));
        assertThat(ledger.stored("form/ledger")).isEqualTo("4");
        assertThat(ledger.entries(LedgerStores.REPORTS)).as("some at a time").isBetween(200L, 300L);
        migrate();
        assertThat(ledger.stored("form/ledger")).isEqualTo("5");
        assertThat(ledger.entries(LedgerStores.REPORTS)).isEqualTo(2);
        assertThat(ledger.entries(LedgerStores.REQUESTS)).isEqualTo(2);
        assertThat(ledger.entries(LedgerStores.IDEMPOTENCY)).isZero();
        assertThat(ledger.entries(LedgerStores.AGENDA))
                .as("opening, lease, failed")
                .isEqualTo(3);
        assertThat(ledger.entries("file-agenda")).isZero();
        assertThat(ledger.entries(LedgerStores.ENDED)).isPositive();
    }

    /** Before it is migrated, while others are, and afterwards. */
    @Test
    void whatIsOverIsKnownAsBefore() {
        answersAsBefore();
        ledger.pass(Duration.ofSeconds(1));
        answersAsBefore();
        migrate();
        answersAsBefore();
        ledger.read(Topics.REPORT_EVENTS);
        ledger.send("acme", new AccountCommand.RetryReport(FAILED, 2));
        ledger.send("acme", new AccountCommand.SliceDone(SLICE, LedgerSamples.file(SLICE), new ResultCounts(1, 10, 0)));
        assertThat(ledger.read(Topics.REPORT_EVENTS))
                .extracting(e -> e.report().reportId(), e -> e.report().status())
                .containsExactly(tuple(FAILED, Status.PROCESSING), tuple(OPEN, Status.COMPLETE));
        assertThat(ledger.read(Topics.CREDIT_LEDGER).getLast().used()).isEqualTo(10);
    }

    private void answersAsBefore() {
        ledger.read(Topics.REPORT_EVENTS);
        for (int i : List.of(0, 7, MANY - 1)) {
            ledger.send("acme", request(i));
            ledger.send("acme", new AccountCommand.RetryReport(id(i), 2));
            var slice = new SliceRef(id(i), 1, 0, 1);
            ledger.send("acme", new AccountCommand.SliceDone(slice, file(i), new ResultCounts(1, 10, 0)));
            assertThat(ledger.read(Topics.REPORT_EVENTS)).isEmpty();
            assertThat(ledger.records(Topics.FILE_DELETIONS)).isEmpty();
            var second = new StoredFile("second", 1, "00");
            ledger.send("acme", new AccountCommand.SliceDone(slice, second, new ResultCounts(1, 10, 0)));
            assertThat(ledger.one(Topics.FILE_DELETIONS).files()).containsExactly("second");
            AccountCommand.RequestReport other = LedgerSamples.withKey(
                    LedgerSamples.request(LedgerSamples.id("other" + others++), 100, 5, 2, null), "key" + i, "other");
            ledger.send("acme", other);
            ReportStatus.Failure failure =
                    ledger.one(Topics.REPORT_EVENTS).report().error();
            assertThat(failure).isNotNull();
            assertThat(failure.code()).isEqualTo(ErrorCode.IDEMPOTENCY_CONFLICT);
        }
    }

    @Test
    void filesExpireAndReportsAreForgottenAsBefore() {
        migrate();
        ledger.records(Topics.REPORT_STATUS);
        ledger.pass(Duration.ofDays(30).plusMinutes(59));
        assertThat(ledger.records(Topics.FILE_DELETIONS)).isEmpty();
        for (int second = 0; second < 120; second++) {
            ledger.pass(Duration.ofSeconds(1));
        }
        List<FileDeletion> expired = ledger.read(Topics.FILE_DELETIONS);
        assertThat(expired).hasSize(MANY).extracting(FileDeletion::reason).containsOnly(FileDeletion.Reason.EXPIRED);
        ledger.pass(Duration.ofDays(369));
        assertThat(ledger.records(Topics.FILE_DELETIONS)).isEmpty();
        for (int i = 0; i < 20; i++) {
            ledger.pass(Duration.ofHours(2));
        }
        assertThat(ledger.records(Topics.FILE_DELETIONS)).isEmpty();
        assertThat(ledger.records(Topics.REPORT_STATUS))
                .filteredOn(record -> record.value() == null)
                .extracting(TestRecord::key)
                .hasSize(MANY + 1)
                .contains("acme/" + id(0), "acme/" + FAILED);
        assertThat(ledger.entries(LedgerStores.ENDED)).isZero();
    }
}
