package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.Status;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.LedgerSamples;
import millrace.processor.ledger.state.LedgerStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small reports whose tasks the step hands to workers of its process. */
class HandedTasksTest {
    private static final UUID R = LedgerSamples.id("r");
    private static final UUID S = LedgerSamples.id("s");
    private static final UUID T = LedgerSamples.id("t");
    /** Longer than the rest after any commit. */
    private static final Duration LOOK = Duration.ofMillis(20);

    @TempDir
    Path folder;

    private final ManualWorkers workers = new ManualWorkers();
    private LedgerTestDriver ledger;

    @BeforeEach
    void open() {
        ledger = LedgerTestDriver.open(folder, workers);
        ledger.readBefore(0);
        ledger.send("acme", new AccountCommand.GrantCredits("opening-acme", 1000, "bought"));
        ledger.read(Topics.CREDIT_LEDGER);
        ledger.read(Topics.ACCOUNT_STATE);
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void anAnswerThatComesInTimeJoinsTheTransaction() {
        ledger.sendUncommitted("acme", request(R));
        assertThat(workers.taken()).containsExactly(R);
        workers.answer(R, done(R));
        ledger.passUncommitted(LOOK);
        ledger.commit();

        assertThat(ledger.records(Topics.SMALL_REPORTS)).isEmpty();
        ReportStatus status = ledger.one(Topics.REPORT_STATUS);
        assertThat(status.status()).isEqualTo(Status.COMPLETE);
        assertThat(status.sequence()).isEqualTo(2);
        assertThat(ledger.read(Topics.REPORT_EVENTS))
                .extracting(event -> event.report().sequence())
                .containsExactly(1, 2);
        assertThat(ledger.records(Topics.DELIVERIES)).hasSize(2);
        assertThat(ledger.read(Topics.CREDIT_LEDGER))
                .extracting(LedgerEntry::kind)
                .containsExactly(LedgerEntry.Kind.RESERVATION, LedgerEntry.Kind.SETTLEMENT, LedgerEntry.Kind.RELEASE);
        assertThat(ledger.one(Topics.ACCOUNT_STATE).openReports()).isZero();
        assertThat(ledger.entries(LedgerStores.VERSIONS)).isZero();
        assertThat(workers.discarded()).isEmpty();
    }

    @Test
    void theNextCommandOfItsPartitionFindsTheAnswer() {
        ledger.sendUncommitted("acme", request(R));
        workers.answer(R, done(R));
        ledger.sendUncommitted("acme", request(S));
        assertThat(ledger.read(Topics.REPORT_EVENTS))
                .extracting(event -> event.report().reportId())
                .containsExactly(R, R, S);
    }

    @Test
    void anAnswerThatComesLateIsDroppedAndTheTaskGoesThroughKafka() {
        ledger.sendUncommitted("acme", request(R));
        ledger.commit();
        assertThat(workers.withdrawn()).containsExactly(R);
        assertThat(ledger.one(Topics.SMALL_REPORTS).slice()).isEqualTo(slice(R));
        assertThat(ledger.one(Topics.REPORT_STATUS).sequence()).isEqualTo(1);
        workers.answer(R, done(R));
        assertThat(workers.discarded()).containsExactly(done(R));

        ledger.pass(LOOK);
        assertThat(ledger.records(Topics.REPORT_EVENTS)).hasSize(1);
        ledger.send("acme", done(R));
        assertThat(ledger.one(Topics.REPORT_STATUS).status()).isEqualTo(Status.COMPLETE);
    }

    /** It is counted there, and handed out again as often as any other. */
    @Test
    void aTaskThatFailsGoesThroughKafka() {
        ledger.sendUncommitted("acme", request(R));
        workers.answer(R, new AccountCommand.SliceFailed(slice(R), ErrorCode.RENDER_FAILED, "no"));
        ledger.passUncommitted(LOOK);
        ledger.commit();
        assertThat(ledger.one(Topics.SMALL_REPORTS).slice()).isEqualTo(slice(R));
        assertThat(ledger.one(Topics.REPORT_STATUS).sequence()).isEqualTo(1);
    }

    @Test
    void commandsFromBeforeTheTakeOverGoThroughKafka() {
        try (LedgerTestDriver other = LedgerTestDriver.open(folder.resolve("other"), workers)) {
            other.readBefore(2);
            other.send("acme", new AccountCommand.GrantCredits("opening-acme", 1000, "bought"));
            other.sendUncommitted("acme", request(R));
            other.sendUncommitted("acme", request(S));
            assertThat(workers.taken()).containsExactly(S);
            assertThat(other.one(Topics.SMALL_REPORTS).slice().reportId()).isEqualTo(R);
        }
    }

    @Test
    void whileTheEndOfTheLogIsNotKnownEverythingGoesThroughKafka() {
        try (LedgerTestDriver other = LedgerTestDriver.open(folder.resolve("other"), workers)) {
            other.send("acme", new AccountCommand.GrantCredits("opening-acme", 1000, "bought"));
            other.sendUncommitted("acme", request(R));
            assertThat(workers.taken()).isEmpty();
            assertThat(other.records(Topics.SMALL_REPORTS)).hasSize(1);
        }
    }

    /** Two small reports of an account may be handed out at a time. */
    @Test
    void anAnswerGivesTheNextReportItsTurn() {
        List.of(R, S, T).forEach(id -> ledger.sendUncommitted("acme", request(id)));
        assertThat(workers.taken()).containsExactly(R, S);
        workers.answer(S, done(S));
        ledger.passUncommitted(LOOK);
        assertThat(workers.taken()).containsExactly(R, S, T);
    }

    @Test
    void whatIsHandedOutAgainGoesThroughKafka() {
        ledger.sendUncommitted("acme", request(R));
        ledger.commit();
        ledger.read(Topics.SMALL_REPORTS);
        ledger.send("acme", new AccountCommand.SliceFailed(slice(R), ErrorCode.RENDER_FAILED, "no"));
        assertThat(ledger.one(Topics.SMALL_REPORTS).slice().dispatch()).isEqualTo(2);
        assertThat(workers.taken()).containsExactly(R);
    }

    @Test
    void aReportThatIsCancelledMeanwhileEndsOnce() {
        ledger.sendUncommitted("acme", request(R));
        ledger.sendUncommitted("acme", new AccountCommand.CancelReport(R));
        workers.answer(R, done(R));
        ledger.passUncommitted(LOOK);
        ledger.commit();
        assertThat(ledger.one(Topics.REPORT_STATUS).status()).isEqualTo(Status.INTERNAL_ERROR);
        assertThat(ledger.read(Topics.REPORT_EVENTS)).hasSize(2);
        assertThat(ledger.records(Topics.COMMAND_DEAD_LETTERS)).isEmpty();
    }

    @Test
    void whatIsUndoneLeavesNoFile() {
        ledger.sendUncommitted("acme", request(R));
        ledger.sendUncommitted("acme", request(S));
        workers.answer(R, done(R));
        ledger.passUncommitted(LOOK);
        ledger.abort();
        assertThat(workers.discarded()).containsExactly(done(R));
        assertThat(workers.withdrawn()).containsExactly(S);
        assertThat(ledger.records(Topics.REPORT_STATUS)).isEmpty();
    }

    private static AccountCommand request(UUID report) {
        return LedgerSamples.withWebhook(LedgerSamples.request(report, 20, 5, 2, null), "https://hook.example/in");
    }

    private static SliceRef slice(UUID report) {
        return new SliceRef(report, 1, 0, 1);
    }

    private static AccountCommand done(UUID report) {
        return new AccountCommand.SliceDone(
                slice(report), LedgerSamples.file(slice(report)), new ResultCounts(3, 18, 0));
    }
}
