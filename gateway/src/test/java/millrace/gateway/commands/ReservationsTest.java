package millrace.gateway.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.gateway.admission.Admission;
import millrace.gateway.admission.Reservation;
import millrace.gateway.readmodel.ModelOnDisk;
import millrace.gateway.readmodel.ReadModel;
import millrace.gateway.readmodel.SampleRecords;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ReservationsTest {
    private static final String A = SampleRecords.ACCOUNT;
    private static final UUID ID = SampleRecords.id(0);
    private static final long CREDITS = SampleRecords.CREDITS;

    private final ModelOnDisk disk = new ModelOnDisk();
    private final ReadModel model = disk.model();
    private final Reservations reservations = new Reservations(model);

    @AfterEach
    void close() {
        disk.close();
    }

    @Test
    void keepsAnIdempotencyKeyForItsFirstRequest() {
        balance(10_000, 0);
        assertThat(admit(0, "k")).isInstanceOf(Admission.Admitted.class);
        assertThat(admit(1, "k")).isInstanceOf(Admission.KeyTaken.class);
        acknowledge(0, "k");
        assertThat(admit(0, "k")).isEqualTo(new Admission.Known(ID));
        assertThat(admit(1, "k")).isInstanceOf(Admission.KeyTaken.class);
        assertThat(admit(1, "l")).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void refusesTheLoserOfARaceForAKey() {
        balance(10_000, 0);
        acknowledge(0, "k");
        acknowledge(1, "k");
        disk.status(SampleRecords.failed(1, 1, 1, ErrorCode.IDEMPOTENCY_CONFLICT));
        assertThat(admit(0, "k")).isEqualTo(new Admission.Known(ID));
        assertThat(admit(1, "k")).isInstanceOf(Admission.KeyTaken.class);
    }

    /** Here the ledger has told of the loser before Kafka's acknowledgement has come. */
    @Test
    void leavesAKeyThatWasLostToOthers() {
        balance(10_000, 0);
        admit(0, "k");
        disk.status(SampleRecords.failed(0, 1, 1, ErrorCode.IDEMPOTENCY_CONFLICT));
        assertThat(admit(1, "k")).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void takesBackWhatKafkaDidNotAcknowledge() {
        balance(CREDITS, 0);
        assertThat(admit(0, "k")).isInstanceOf(Admission.Admitted.class);
        assertThat(admit(1, null)).isEqualTo(new Admission.NotEnoughCredits(CREDITS, 0));
        reservations.release(A, ID);
        assertThat(admit(1, "k")).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void keepsWhatTurnsUpEvenSo() {
        balance(CREDITS, 0);
        admit(0, "k");
        acknowledge(0, "k");
        assertThat(admit(1, null)).isEqualTo(new Admission.NotEnoughCredits(CREDITS, 0));
        assertThat(admit(0, "k")).isEqualTo(new Admission.Known(ID));
    }

    @Test
    void countsOpenReportsOfLedgerAndGateway() {
        balance(10_000, 1);
        assertThat(admit(0, null, 2)).isInstanceOf(Admission.Admitted.class);
        assertThat(admit(1, null, 2)).isInstanceOf(Admission.TooManyOpen.class);
    }

    /** Every gateway reads the commands of all of them. */
    @Test
    void countsWhatAnotherGatewayHasAccepted() {
        balance(10_000, 1);
        model.command(A, SampleRecords.request(0, null), 0, 0);
        assertThat(admit(1, null, 2)).isInstanceOf(Admission.TooManyOpen.class);
        assertThat(admit(1, null, 3)).isInstanceOf(Admission.Admitted.class);
    }

    /** Its own record may be read before the acknowledgement comes. */
    @Test
    void countsOnceWhatIsReadBeforeItIsAcknowledged() {
        balance(2 * CREDITS, 0);
        admit(0, null);
        model.command(A, SampleRecords.request(0, null), 0, 0);
        assertThat(admit(1, null, 2)).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void countsARetryUntilItIsRead() {
        balance(2 * CREDITS, 0);
        disk.status(SampleRecords.failed(0, 1, 2, ErrorCode.RENDER_FAILED));
        var retry = new Reservation(ID, 2, CREDITS, null);
        assertThat(reservations.admit(A, retry, 1)).isInstanceOf(Admission.Admitted.class);
        assertThat(admit(1, null, 1)).isInstanceOf(Admission.TooManyOpen.class);
        model.command(A, new AccountCommand.RetryReport(ID, 2), 0, 0);
        assertThat(admit(1, null, 1)).isInstanceOf(Admission.TooManyOpen.class);
        disk.status(SampleRecords.failed(0, 2, 3, ErrorCode.RENDER_FAILED));
        assertThat(admit(1, null, 1)).isInstanceOf(Admission.Admitted.class);
    }

    /** One thread folds what the others append, before or after their acknowledgements. */
    @RepeatedTest(50)
    void admitsAsManyAsThereAreCreditsForFromManyThreads() {
        int enough = 200;
        balance(enough * CREDITS, 0);
        var admitted = new AtomicInteger();
        var appended = new LinkedBlockingQueue<Integer>();
        try (var threads = Executors.newCachedThreadPool()) {
            var tailer = threads.submit(() -> {
                for (int n = appended.take(); n >= 0; n = appended.take()) {
                    model.command(A, SampleRecords.request(n, null), 0, n);
                }
                return null;
            });
            try (var clients = Executors.newFixedThreadPool(4)) {
                for (int n = 0; n < enough + 50; n++) {
                    int report = n;
                    clients.execute(() -> {
                        if (admit(report, null, 1000) instanceof Admission.Admitted) {
                            admitted.incrementAndGet();
                            appended.add(report);
                            acknowledge(report, null);
                        }
                    });
                }
            }
            appended.add(-1);
            assertThat(tailer).succeedsWithin(java.time.Duration.ofSeconds(10));
        }
        assertThat(admitted).hasValue(enough);
        assertThat(model.remaining(A)).isZero();
    }

    private Admission admit(int n, @Nullable String key) {
        return admit(n, key, 100);
    }

    private Admission admit(int n, @Nullable String key, int openLimit) {
        var wanted = new Reservation(SampleRecords.id(n), 1, CREDITS, key == null ? null : SampleRecords.key(key));
        return reservations.admit(A, wanted, openLimit);
    }

    /** As the command log and the submissions do. */
    private void acknowledge(int n, @Nullable String key) {
        var request = SampleRecords.request(n, key == null ? null : SampleRecords.key(key));
        model.command(A, request, 0, n, n % 2 == 0 ? model.stamp() : 0);
        reservations.release(A, SampleRecords.id(n));
    }

    private void balance(long remaining, int open) {
        disk.accountState(new AccountState(A, remaining, 0, 0, remaining, open, 1));
    }
}
