package millrace.gateway.admission;

import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import millrace.gateway.admission.SubmissionOutcome.Refused;
import millrace.gateway.admission.SubmissionOutcome.Replayed;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.copy.reports.ReadModel.Standing;
import millrace.gateway.copy.reports.Reservation;
import millrace.gateway.problems.ProblemCode;
import org.jspecify.annotations.Nullable;

/**
 * Holds what this gateway has admitted and Kafka has not acknowledged. It counts at once, so that
 * two requests at the same gateway cannot spend the same credits. Acknowledged commands count in
 * the read model. Safe for use by many threads.
 */
@Singleton
final class Reservations {
    /** By account and report. The lock of an account's map guards its decisions. */
    private final Map<String, Map<UUID, Reservation>> accounts = new ConcurrentHashMap<>();

    private final ReadModel model;

    Reservations(ReadModel model) {
        this.model = model;
    }

    /**
     * Reserves until {@link #release}, or returns why it does not: a refusal, or the same request's report.
     *
     * @param refused why the request is refused unless it repeats an earlier one, or null
     */
    @Nullable
    SubmissionOutcome admit(String accountId, Reservation wanted, int openLimit, @Nullable Refused refused) {
        Map<UUID, Reservation> reserved = account(accountId);
        synchronized (reserved) {
            SubmissionOutcome other = decide(accountId, wanted, reserved.values(), openLimit, refused);
            if (other == null) {
                reserved.put(wanted.reportId(), wanted);
            }
            return other;
        }
    }

    /** Looks the other reservations up only if they matter: an account may have hundreds at a time. */
    private @Nullable SubmissionOutcome decide(
            String accountId,
            Reservation wanted,
            Collection<Reservation> reserved,
            int openLimit,
            @Nullable Refused refused) {
        SubmissionOutcome strict = decide(model.leastStanding(accountId, wanted, reserved), wanted, openLimit, refused);
        return strict == null || reserved.isEmpty()
                ? strict
                : decide(model.standing(accountId, wanted, reserved), wanted, openLimit, refused);
    }

    /**
     * Decides from what this gateway has read. The ledger decides again, and its decision is final.
     *
     * @return null if the report may be submitted
     */
    static @Nullable SubmissionOutcome decide(
            Standing standing, Reservation wanted, int openLimit, @Nullable Refused refused) {
        if (standing.known() != null) {
            return new Replayed(standing.known());
        }
        if (standing.keyTaken()) {
            return Refused.keyTaken();
        }
        if (refused != null) {
            return refused;
        }
        if (wanted.maxCredits() != null && wanted.credits() > wanted.maxCredits()) {
            return Refused.aboveLimit(wanted.credits(), wanted.maxCredits());
        }
        if (standing.open() >= openLimit) {
            return new Refused(
                    ProblemCode.TOO_MANY_OPEN_REPORTS,
                    "The account has " + openLimit + " reports processing, which is its limit.");
        }
        if (wanted.credits() > standing.remaining()) {
            return new Refused(
                    ProblemCode.INSUFFICIENT_CREDITS,
                    "The report is estimated at " + wanted.credits() + " credits; " + standing.remaining()
                            + " credits remain.");
        }
        return null;
    }

    /**
     * Must be called once the command is in the read model, or is not expected there. A command
     * that appears later all the same counts in the read model.
     */
    void release(String accountId, UUID reportId) {
        Map<UUID, Reservation> reserved = account(accountId);
        synchronized (reserved) {
            reserved.remove(reportId);
        }
    }

    private Map<UUID, Reservation> account(String accountId) {
        return accounts.computeIfAbsent(accountId, id -> new HashMap<>());
    }
}
