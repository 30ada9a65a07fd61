package millrace.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.gateway.admission.SubmissionOutcome.Refused;
import millrace.gateway.admission.SubmissionOutcome.Replayed;
import millrace.gateway.copy.reports.ModelOnDisk;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.copy.reports.ReadModel.Standing;
import millrace.gateway.copy.reports.Reservation;
import millrace.gateway.copy.reports.SampleRecords;
import millrace.gateway.problems.ProblemCode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({
        // remaining, open, known, key taken, estimate, max_credits, decision
        "10, 0, false, false, 10, ,   admitted",
        "10, 0, false, false, 11, ,   insufficient_credits",
        "0,  0, false, false, 0,  ,   admitted",
        "0,  0, false, false, 1,  ,   insufficient_credits",
        "10, 2, false, false, 1,  ,   admitted",
        "10, 3, false, false, 1,  ,   too_many_open_reports",
        "0,  3, false, false, 1,  ,   too_many_open_reports",
        // A repetition needs neither credits nor room.
        "0,  3, true,  false, 1,  ,   replayed",
        "0,  3, false, true,  1,  ,   idempotency_conflict",
        "10, 0, false, true,  1,  ,   idempotency_conflict",
        // The client's own limit. Of a repetition the data may be others by now.
        "50, 0, false, false, 10, 10, admitted",
        "50, 0, false, false, 11, 10, invalid_request",
        "50, 0, false, false, 99, 10, invalid_request",
        "50, 0, true,  false, 11, 10, replayed",
    })
    void decides(
            long remaining,
            int open,
            boolean known,
            boolean keyTaken,
            long estimate,
            @Nullable Long maxCredits,
            String decision) {
        SubmissionOutcome outcome = Reservations.decide(
                new Standing(remaining, open, known ? ID : null, keyTaken),
                new Reservation(ID, 1, estimate, null, maxCredits),
                3,
                null);
        assertThat(
                        switch (outcome) {
                            case null -> "admitted";
                            case SubmissionOutcome.Accepted _ -> "accepted";
                            case Replayed _ -> "replayed";
                            case Refused refused -> refused.code().word();
                        })
                .isEqualTo(decision);
    }

    /** A quote that has ended, and a tag too many, do not matter to a repetition; else they come before the price. */
    @Test
    void refusesForOtherReasonsWhatIsNoRepetition() {
        var refused = new Refused(ProblemCode.QUOTE_EXPIRED, "it was valid until noon", null);
        var wanted = new Reservation(ID, 1, 5, null, null);
        assertThat(Reservations.decide(new Standing(0, 0, null, false), wanted, 3, refused))
                .isEqualTo(refused);
        assertThat(Reservations.decide(new Standing(0, 0, ID, false), wanted, 3, refused))
                .isEqualTo(new Replayed(ID));
    }

    @Test
    void keepsAnIdempotencyKeyForItsFirstRequest() {
        balance(10_000, 0);
        assertThat(admit(0, "k")).isNull();
        assertThat(admit(1, "k")).satisfies(refused(ProblemCode.IDEMPOTENCY_CONFLICT));
        acknowledge(0, "k");
        assertThat(admit(0, "k")).isEqualTo(new Replayed(ID));
        assertThat(admit(1, "k")).satisfies(refused(ProblemCode.IDEMPOTENCY_CONFLICT));
        assertThat(admit(1, "l")).isNull();
    }

    @Test
    void refusesTheLoserOfARaceForAKey() {
        balance(10_000, 0);
        acknowledge(0, "k");
        acknowledge(1, "k");
        disk.status(SampleRecords.failed(1, 1, 1, ErrorCode.IDEMPOTENCY_CONFLICT));
        assertThat(admit(0, "k")).isEqualTo(new Replayed(ID));
        assertThat(admit(1, "k")).satisfies(refused(ProblemCode.IDEMPOTENCY_CONFLICT));
    }

    /** Here the ledger has told of the loser before Kafka's acknowledgement has come. */
    @Test
    void leavesAKeyThatWasLostToOthers() {
        balance(10_000, 0);
        admit(0, "k");
        disk.status(SampleRecords.failed(0, 1, 1, ErrorCode.IDEMPOTENCY_CONFLICT));
        assertThat(admit(1, "k")).isNull();
    }

    @Test
    void takesBackWhatKafkaDidNotAcknowledge() {
        balance(CREDITS, 0);
        assertThat(admit(0, "k")).isNull();
        assertThat(admit(1, null)).satisfies(refused(ProblemCode.INSUFFICIENT_CREDITS));
        reservations.release(A, ID);
        assertThat(admit(1, "k")).isNull();
    }

    @Test
    void keepsWhatTurnsUpEvenSo() {
        balance(CREDITS, 0);
        admit(0, "k");
        acknowledge(0, "k");
        assertThat(admit(1, null)).satisfies(refused(ProblemCode.INSUFFICIENT_CREDITS));
        assertThat(admit(0, "k")).isEqualTo(new Replayed(ID));
    }

    @Test
    void countsOpenReportsOfLedgerAndGateway() {
        balance(10_000, 1);
        assertThat(admit(0, null, 2)).isNull();
        assertThat(admit(1, null, 2)).satisfies(refused(ProblemCode.TOO_MANY_OPEN_REPORTS));
    }

    /** Every gateway reads the commands of all of them. */
    @Test
    void countsWhatAnotherGatewayHasAccepted() {
        balance(10_000, 1);
        model.command(A, SampleRecords.request(0, null), 0, 0);
        assertThat(admit(1, null, 2)).satisfies(refused(ProblemCode.TOO_MANY_OPEN_REPORTS));
        assertThat(admit(1, null, 3)).isNull();
    }

    /** Its own record may be read before the acknowledgement comes. */
    @Test
    void countsOnceWhatIsReadBeforeItIsAcknowledged() {
        balance(2 * CREDITS, 0);
        admit(0, null);
        model.command(A, SampleRecords.request(0, null), 0, 0);
        assertThat(admit(1, null, 2)).isNull();
    }

    @Test
    void countsARetryUntilItIsRead() {
        balance(2 * CREDITS, 0);
        disk.status(SampleRecords.failed(0, 1, 2, ErrorCode.RENDER_FAILED));
        var retry = new Reservation(ID, 2, CREDITS, null);
        assertThat(reservations.admit(A, retry, 1, null)).isNull();
        assertThat(admit(1, null, 1)).satisfies(refused(ProblemCode.TOO_MANY_OPEN_REPORTS));
        model.command(A, new AccountCommand.RetryReport(ID, 2), 0, 0);
        assertThat(admit(1, null, 1)).satisfies(refused(ProblemCode.TOO_MANY_OPEN_REPORTS));
        disk.status(SampleRecords.failed(0, 2, 3, ErrorCode.RENDER_FAILED));
        assertThat(admit(1, null, 1)).isNull();
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
                        if (admit(report, null, 1000) == null) {
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

    private static Consumer<@Nullable SubmissionOutcome> refused(ProblemCode code) {
        return outcome -> assertThat(outcome)
                .isInstanceOfSatisfying(
                        Refused.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    private @Nullable SubmissionOutcome admit(int n, @Nullable String key) {
        return admit(n, key, 100);
    }

    private @Nullable SubmissionOutcome admit(int n, @Nullable String key, int openLimit) {
        var wanted = new Reservation(SampleRecords.id(n), 1, CREDITS, key == null ? null : SampleRecords.key(key));
        return reservations.admit(A, wanted, openLimit, null);
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
