package millrace.processor.ledger.decide;

import java.time.Instant;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.accounts.LedgerEntry;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of an account.
 *
 * @param ledgerSequence sequence of the last entry, 0 before the first
 * @param openReports number of reports that hold a reservation
 * @param openedAt when the last {@code opening}, or the first entry, was written
 */
public record LedgerAccount(
        String id,
        Balance balance,
        long ledgerSequence,
        int openReports,
        LaneQueue small,
        LaneQueue large,
        @Nullable Instant openedAt) {

    public LedgerAccount {
        if (openReports < 0) {
            throw new IllegalStateException("account " + id + " has " + openReports + " open reports");
        }
    }

    /** An account without entries and reports. */
    public static LedgerAccount fresh(String id) {
        return new LedgerAccount(id, Balance.ZERO, 0, 0, LaneQueue.EMPTY, LaneQueue.EMPTY, null);
    }

    public LaneQueue queue(Lane lane) {
        return switch (lane) {
            case SMALL -> small;
            case LARGE -> large;
        };
    }

    LedgerAccount apply(Fact.Entered entry, Instant now) {
        boolean opens = openedAt == null || entry.kind() == LedgerEntry.Kind.OPENING;
        return new LedgerAccount(
                id,
                balance.moved(entry.kind(), entry.amount()),
                Math.addExact(ledgerSequence, 1),
                openReports,
                small,
                large,
                opens ? now : openedAt);
    }

    /** Updates the number of open reports and tasks in flight after the change of a report. */
    LedgerAccount following(@Nullable LedgerReport before, @Nullable LedgerReport after) {
        LedgerAccount account = this;
        for (Lane lane : Lane.values()) {
            int more = inFlight(after, lane) - inFlight(before, lane);
            account =
                    more == 0 ? account : account.with(lane, account.queue(lane).moreInFlight(more));
        }
        int opened = open(after) - open(before);
        return opened == 0
                ? account
                : new LedgerAccount(
                        id,
                        balance,
                        ledgerSequence,
                        openReports + opened,
                        account.small,
                        account.large,
                        account.openedAt);
    }

    LedgerAccount with(Lane lane, LaneQueue queue) {
        return switch (lane) {
            case SMALL -> new LedgerAccount(id, balance, ledgerSequence, openReports, queue, large, openedAt);
            case LARGE -> new LedgerAccount(id, balance, ledgerSequence, openReports, small, queue, openedAt);
        };
    }

    /** The state that is published to the other services. */
    public AccountState state() {
        return new AccountState(
                id,
                balance.granted(),
                balance.reserved(),
                balance.used(),
                balance.remaining(),
                openReports,
                ledgerSequence);
    }

    private static int inFlight(@Nullable LedgerReport report, Lane lane) {
        OpenAttempt work = report == null ? null : report.work();
        return work == null || work.lane() != lane ? 0 : work.flights().size();
    }

    private static int open(@Nullable LedgerReport report) {
        return report != null && report.open() ? 1 : 0;
    }
}
