package millrace.gateway.copy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.Outcome;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.gateway.copy.reports.ReadModel.Standing;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadModelTest {
    private static final String A = SampleRecords.ACCOUNT;
    private static final UUID ID = SampleRecords.id(0);
    private static final HistoryFilter ALL = HistoryFilter.ALL;
    private final ModelOnDisk disk = new ModelOnDisk();
    private final ReadModel model = disk.model();

    @AfterEach
    void close() {
        disk.close();
    }

    @Test
    void knowsAReportFromItsCommandUntilTheLedgerSpeaks() {
        balance(1000, 0);
        model.command(A, SampleRecords.request(0, null), 1, 7);
        ReportStatus queued = status();
        assertThat(queued.status()).isEqualTo(Status.PROCESSING);
        assertThat(queued.sequence()).isZero();
        assertThat(queued.progress()).isEqualTo(new ReportStatus.Progress(ReportPhase.QUEUED, 0));
        assertThat(model.remaining(A)).isEqualTo(1000 - SampleRecords.CREDITS);
        assertThat(model.report(A, ID).orElseThrow().request()).contains(new RequestPosition.Command(1, 7));

        disk.status(SampleRecords.processing(0, 1, 1));
        balance(1000 - SampleRecords.CREDITS, 1);
        assertThat(status()).isEqualTo(SampleRecords.processing(0, 1, 1));
        assertThat(model.remaining(A)).isEqualTo(1000 - SampleRecords.CREDITS);
        assertThat(model.open()).isEqualTo(1);

        disk.status(SampleRecords.complete(0, 1, 2));
        assertThat(status()).isEqualTo(SampleRecords.complete(0, 1, 2));
        assertThat(model.open()).isZero();
        assertThat(model.ended()).isEqualTo(1);
    }

    /** Two gateways tell the ledger of the same opening credits. */
    @Test
    void countsAGrantOnceUntilTheLedgerSpeaks() {
        assertThat(model.hasBalance(A)).isFalse();
        var opening = new AccountCommand.GrantCredits("opening-" + A, 1000, "opening credits");
        model.command(A, opening, 1, 0);
        model.command(A, opening, 1, 1);
        assertThat(model.hasBalance(A)).isTrue();
        model.command(A, SampleRecords.request(0, null), 1, 2);
        assertThat(model.remaining(A)).isEqualTo(1000 - SampleRecords.CREDITS);

        balance(1000, 0);
        model.command(A, opening, 1, 3);
        assertThat(model.remaining(A)).isEqualTo(1000 - SampleRecords.CREDITS);
    }

    /** The gateway that appends a new command knows that nothing is stored of it, unless the ledger was faster. */
    @Test
    void readsNoRowsForANewReportUnlessSomeHaveChanged() {
        long stamp = model.stamp();
        model.command(A, SampleRecords.request(0, null), 0, 0, stamp);
        assertThat(status().sequence()).isZero();
        assertThat(model.open()).isEqualTo(1);

        disk.status(SampleRecords.complete(1, 1, 2));
        model.command(A, SampleRecords.request(1, null), 0, 1, stamp);
        assertThat(model.report(A, SampleRecords.id(1)).orElseThrow().status())
                .isEqualTo(SampleRecords.complete(1, 1, 2));
        assertThat(model.open()).isEqualTo(1);

        disk.status(SampleRecords.complete(0, 1, 2));
        assertThat(model.open()).isZero();
    }

    @Test
    void isNotTakenBackByACommandThatComesLate() {
        disk.status(SampleRecords.complete(0, 1, 2));
        model.command(A, SampleRecords.request(0, null), 0, 0);
        assertThat(status()).isEqualTo(SampleRecords.complete(0, 1, 2));
        assertThat(model.remaining(A)).isZero();
        balance(5, 0);
        assertThat(model.remaining(A)).isEqualTo(5);
    }

    @Test
    void showsARetryAsProcessingUntilTheLedgerSpeaks() {
        balance(1000, 0);
        disk.status(SampleRecords.failed(0, 1, 2, ErrorCode.RENDER_FAILED));
        model.command(A, new AccountCommand.RetryReport(ID, 2), 0, 9);
        assertThat(status().status()).isEqualTo(Status.PROCESSING);
        assertThat(status().attempt()).isEqualTo(2);
        assertThat(status().error()).isNull();
        assertThat(model.remaining(A)).isEqualTo(1000 - SampleRecords.CREDITS);
        disk.status(SampleRecords.failed(0, 2, 3, ErrorCode.INSUFFICIENT_CREDITS));
        assertThat(status().status()).isEqualTo(Status.INTERNAL_ERROR);
        assertThat(model.remaining(A)).isEqualTo(1000);
        model.command(A, new AccountCommand.RetryReport(ID, 2), 0, 9);
        assertThat(status().status()).isEqualTo(Status.INTERNAL_ERROR);
    }

    @Test
    void findsReportsByHowTheyEnded() {
        disk.status(SampleRecords.complete(1, 1, 2));
        disk.status(SampleRecords.failed(2, 1, 2, ErrorCode.RENDER_FAILED));
        disk.status(SampleRecords.failed(3, 1, 2, ErrorCode.CANCELLED));
        disk.status(SampleRecords.failed(4, 1, 2, ErrorCode.CANCELLED));
        disk.status(SampleRecords.processing(5, 1, 1));
        model.command(A, new AccountCommand.RetryReport(SampleRecords.id(4), 2), 0, 9);
        assertThat(ended(Outcome.COMPLETED)).containsExactly(SampleRecords.id(1));
        assertThat(ended(Outcome.FAILED)).containsExactly(SampleRecords.id(2));
        assertThat(ended(Outcome.CANCELLED)).containsExactly(SampleRecords.id(3));
    }

    /** Of all samples the first half is the same. */
    @Test
    void findsReportsByHowTheirIdsBegin() {
        disk.status(SampleRecords.complete(1, 1, 2));
        model.command(A, SampleRecords.request(2, null), 0, 0);
        disk.status(SampleRecords.failed(3, 1, 2, ErrorCode.RENDER_FAILED));
        model.command(A, new AccountCommand.RetryReport(SampleRecords.id(3), 2), 0, 9);
        UUID pending = SampleRecords.id(2);
        UUID retried = SampleRecords.id(3);
        assertThat(beginning("845D6440", null)).containsExactly(retried, pending, SampleRecords.id(1));
        assertThat(beginning(pending.toString(), null)).containsExactly(pending);
        assertThat(beginning(retried.toString(), null)).containsExactly(retried);
        assertThat(beginning("845d6440-79d1-", Status.PROCESSING)).containsExactly(retried, pending);
        assertThat(beginning("845d6441", null)).isEmpty();
        var ids = filter("845d6440", null);
        assertThat(model.history("other", null, ids, 10).found()).isEmpty();
        ReportView first = model.history(A, null, ids, 1).found().getFirst();
        assertThat(model.history(A, first.cursor(), ids, 1).found())
                .extracting(report -> report.cursor().reportId())
                .containsExactly(pending);
        var later = new HistoryFilter(
                null,
                null,
                null,
                ids.ids(),
                null,
                Map.of(),
                SampleRecords.NOON.plusMillis(2).toEpochMilli());
        assertThat(model.newest(null, null, later, 10).found())
                .extracting(report -> report.cursor().reportId())
                .containsExactly(retried, pending);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "845d644", "845d6440x", "845d64407", "845d6440-79d1-4125-964e-eaef0d6923e5a", "845d6440--"})
    void whatBeginsNoIdIsNone(String text) {
        assertThat(IdPrefix.parse(text)).isEmpty();
    }

    private List<UUID> beginning(String ids, @Nullable Status status) {
        return model.history(A, null, filter(ids, status), 10).found().stream()
                .map(report -> report.cursor().reportId())
                .toList();
    }

    private static HistoryFilter filter(String ids, @Nullable Status status) {
        return new HistoryFilter(status, null, null, IdPrefix.parse(ids).orElseThrow());
    }

    private List<UUID> ended(Outcome outcome) {
        return model.history(A, null, new HistoryFilter(null, outcome, null, null), 10).found().stream()
                .map(report -> report.cursor().reportId())
                .toList();
    }

    @Test
    void findsOpenReportsAmongThoseThatEnded() {
        for (int n = 0; n < 6; n++) {
            model.command(A, SampleRecords.request(n, null), 0, n);
        }
        assertThat(open(null)).hasSize(6).noneMatch(this::decided);
        disk.status(SampleRecords.processing(0, 1, 1));
        disk.status(SampleRecords.complete(1, 1, 2));
        disk.status(SampleRecords.failed(2, 1, 2, ErrorCode.RENDER_FAILED));
        disk.status(SampleRecords.complete(3, 1, 2));
        disk.forget(A, SampleRecords.id(4));
        disk.status(SampleRecords.complete(5, 1, 2));
        assertThat(open(A)).containsExactly(SampleRecords.id(0));
        assertThat(open(A)).allMatch(this::decided);

        model.command(A, new AccountCommand.RetryReport(SampleRecords.id(2), 2), 0, 9);
        assertThat(open(null)).containsExactlyInAnyOrder(SampleRecords.id(0), SampleRecords.id(2));
        assertThat(open("other")).isEmpty();
        disk.forget(A, SampleRecords.id(0));
        disk.forget(A, SampleRecords.id(2));
        assertThat(open(null)).isEmpty();
    }

    private List<UUID> open(@Nullable String account) {
        List<UUID> open = new ArrayList<>();
        model.openReports(account, report -> open.add(report.cursor().reportId()));
        return open;
    }

    private boolean decided(UUID id) {
        return model.report(id).orElseThrow().decided();
    }

    @Test
    void forgetsAReport() {
        model.command(A, SampleRecords.request(0, SampleRecords.key("k")), 0, 0);
        disk.status(SampleRecords.complete(0, 1, 2));
        disk.forget(A, ID);
        assertThat(model.report(A, ID)).isEmpty();
        assertThat(model.history(A, null, ALL, 10).found()).isEmpty();
        assertThat(standing(0, "k")).isEqualTo(new Standing(0, 0, null, false));
    }

    @Test
    void keepsAnIdempotencyKeyForItsFirstRequest() {
        balance(10_000, 0);
        assertThat(standing(0, "k")).isEqualTo(new Standing(10_000, 0, null, false));
        model.command(A, SampleRecords.request(0, SampleRecords.key("k")), 0, 0);
        assertThat(standing(0, "k").known()).isEqualTo(SampleRecords.id(0));
        assertThat(standing(1, "k").keyTaken()).isTrue();
        assertThat(standing(1, "l").keyTaken()).isFalse();
    }

    @Test
    void takesAKeyFromTheLoserOfARace() {
        model.command(A, SampleRecords.request(0, SampleRecords.key("k")), 0, 0);
        model.command(A, SampleRecords.request(1, SampleRecords.key("k")), 0, 1);
        disk.status(SampleRecords.failed(1, 1, 1, ErrorCode.IDEMPOTENCY_CONFLICT));
        assertThat(standing(0, "k")).isEqualTo(new Standing(0, 1, SampleRecords.id(0), false));
        assertThat(standing(1, "k")).isEqualTo(new Standing(0, 1, null, true));
    }

    private void balance(long remaining, int open) {
        disk.accountState(new AccountState(A, remaining, 0, 0, remaining, open, 1));
    }

    private Standing standing(int n, String key) {
        var wanted = new Reservation(SampleRecords.id(n), 1, SampleRecords.CREDITS, SampleRecords.key(key));
        return model.standing(A, wanted, List.of());
    }

    private ReportStatus status() {
        return model.report(A, ID).orElseThrow().status();
    }
}
