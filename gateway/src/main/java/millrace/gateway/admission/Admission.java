package millrace.gateway.admission;

import java.util.UUID;

/** Whether a report may be submitted, as far as this gateway knows. The ledger has the last word. */
public sealed interface Admission {
    /** It may. */
    record Admitted() implements Admission {}

    /** The same request came before with the same Idempotency-Key. */
    record Known(UUID reportId) implements Admission {}

    /** Another request has the Idempotency-Key. */
    record KeyTaken() implements Admission {}

    record NotEnoughCredits(long estimate, long remaining) implements Admission {}

    record TooManyOpen(int limit) implements Admission {}

    /**
     * How an account stands before a submission.
     *
     * @param remaining credits that can still be reserved
     * @param open reports that have not ended
     * @param known whether a report with the submission's id exists and has its Idempotency-Key
     * @param keyTaken whether another report has the submission's Idempotency-Key
     */
    record Standing(long remaining, int open, boolean known, boolean keyTaken) {}

    static Admission decide(Standing standing, Reservation wanted, int openLimit) {
        if (standing.known()) {
            return new Known(wanted.reportId());
        }
        if (standing.keyTaken()) {
            return new KeyTaken();
        }
        if (standing.open() >= openLimit) {
            return new TooManyOpen(openLimit);
        }
        if (wanted.credits() > standing.remaining()) {
            return new NotEnoughCredits(wanted.credits(), standing.remaining());
        }
        return new Admitted();
    }
}
