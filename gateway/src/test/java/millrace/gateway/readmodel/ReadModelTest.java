package millrace.gateway.readmodel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.gateway.admission.Admission;
import org.junit.jupiter.api.Test;

class ReadModelTest {
    private static final String A = SampleRecords.ACCOUNT;
    private static final UUID ID = SampleRecords.id(0);
    private final ReadModel model = new ReadModel();

    @Test
    void knowsAReportFromItsCommandUntilTheLedgerSpeaks() {
        balance(1000, 0);
        model.command(A, SampleRecords.request(0, null), 1, 7);
        ReportStatus queued = status();
        assertThat(queued.status()).isEqualTo(Status.PROCESSING);
        assertThat(queued.sequence()).isZero();
        assertThat(queued.progress()).isEqualTo(new ReportStatus.Progress(ReportPhase.QUEUED, 0));
        assertThat(model.remaining(A)).isEqualTo(1000 - SampleRecords.CREDITS);
        assertThat(model.report(A, ID).orElseThrow().request()).contains(new RequestPosition(false, 1, 7));

        model.status(SampleRecords.processing(0, 1, 1));
        balance(1000 - SampleRecords.CREDITS, 1);
        assertThat(status()).isEqualTo(SampleRecords.processing(0, 1, 1));
        assertThat(model.remaining(A)).isEqualTo(1000 - SampleRecords.CREDITS);
        assertThat(model.open()).isEqualTo(1);

        model.status(SampleRecords.complete(0, 1, 2));
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

    @Test
    void isNotTakenBackByACommandThatComesLate() {
        model.status(SampleRecords.complete(0, 1, 2));
        model.command(A, SampleRecords.request(0, null), 0, 0);
        assertThat(status()).isEqualTo(SampleRecords.complete(0, 1, 2));
        assertThat(model.remaining(A)).isZero();
        balance(5, 0);
        assertThat(model.remaining(A)).isEqualTo(5);
    }

    @Test
    void showsARetryAsProcessingUntilTheLedgerSpeaks() {
        balance(1000, 0);
        model.status(SampleRecords.failed(0, 1, 2, ErrorCode.RENDER_FAILED));
        model.command(A, new AccountCommand.RetryReport(ID, 2), 0, 9);
        assertThat(status().status()).isEqualTo(Status.PROCESSING);
        assertThat(status().attempt()).isEqualTo(2);
        assertThat(status().error()).isNull();
        assertThat(model.remaining(A)).isEqualTo(1000 - SampleRecords.CREDITS);
        model.status(SampleRecords.failed(0, 2, 3, ErrorCode.INSUFFICIENT_CREDITS));
        assertThat(status().status()).isEqualTo(Status.INTERNAL_ERROR);
        assertThat(model.remaining(A)).isEqualTo(1000);
        model.command(A, new AccountCommand.RetryReport(ID, 2), 0, 9);
        assertThat(status().status()).isEqualTo(Status.INTERNAL_ERROR);
    }

    @Test
    void forgetsAReport() {
        model.command(A, SampleRecords.request(0, SampleRecords.key("k")), 0, 0);
        model.status(SampleRecords.complete(0, 1, 2));
        model.forget(A, ID);
        assertThat(model.report(A, ID)).isEmpty();
        assertThat(model.history(A, null)).isEmpty();
        assertThat(admit(1, "k")).isInstanceOf(Admission.NotEnoughCredits.class);
    }

    @Test
    void keepsAnIdempotencyKeyForItsFirstRequest() {
        balance(10_000, 0);
        assertThat(admit(0, "k")).isInstanceOf(Admission.Admitted.class);
        assertThat(admit(1, "k")).isInstanceOf(Admission.KeyTaken.class);
        model.command(A, SampleRecords.request(0, SampleRecords.key("k")), 0, 0);
        assertThat(admit(0, "k")).isEqualTo(new Admission.Known(ID));
        assertThat(admit(1, "k")).isInstanceOf(Admission.KeyTaken.class);
        assertThat(admit(1, "l")).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void takesAKeyFromTheLoserOfARace() {
        balance(10_000, 0);
        model.command(A, SampleRecords.request(0, SampleRecords.key("k")), 0, 0);
        model.command(A, SampleRecords.request(1, SampleRecords.key("k")), 0, 1);
        model.status(SampleRecords.failed(1, 1, 1, ErrorCode.IDEMPOTENCY_CONFLICT));
        assertThat(admit(0, "k")).isEqualTo(new Admission.Known(ID));
        assertThat(admit(1, "k")).isInstanceOf(Admission.KeyTaken.class);
    }

    @Test
    void takesBackWhatKafkaDidNotAcknowledge() {
        balance(SampleRecords.CREDITS, 0);
        assertThat(admit(0, "k")).isInstanceOf(Admission.Admitted.class);
        assertThat(model.remaining(A)).isZero();
        model.withdraw(A, ID, SampleRecords.key("k"));
        assertThat(model.remaining(A)).isEqualTo(SampleRecords.CREDITS);
        assertThat(admit(1, "k")).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void keepsWhatTurnsUpEvenSo() {
        balance(SampleRecords.CREDITS, 0);
        admit(0, "k");
        model.command(A, SampleRecords.request(0, SampleRecords.key("k")), 0, 0);
        model.withdraw(A, ID, SampleRecords.key("k"));
        assertThat(model.remaining(A)).isZero();
        assertThat(admit(0, "k")).isEqualTo(new Admission.Known(ID));
    }

    @Test
    void countsOpenReportsOfLedgerAndGateway() {
        balance(10_000, 1);
        assertThat(model.admit(A, ID, null, 1, 2)).isInstanceOf(Admission.Admitted.class);
        assertThat(model.admit(A, SampleRecords.id(1), null, 1, 2)).isInstanceOf(Admission.TooManyOpen.class);
    }

    private Admission admit(int n, String key) {
        return model.admit(A, SampleRecords.id(n), SampleRecords.key(key), SampleRecords.CREDITS, 100);
    }

    private void balance(long remaining, int open) {
        model.accountState(new AccountState(A, remaining, 0, 0, remaining, open, 1));
    }

    private ReportStatus status() {
        return model.report(A, ID).orElseThrow().status();
    }
}
