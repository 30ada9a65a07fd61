package millrace.gateway.admission;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The decision whether a report may be submitted, from what this gateway has read. The ledger
 * decides again, and its decision is final.
 */
public sealed interface Admission {
    record Admitted() implements Admission {}

    /** The same request was submitted before with the same Idempotency-Key. */
    record Known(UUID reportId) implements Admission {}

    /** Another request has the Idempotency-Key. */
    record KeyTaken() implements Admission {}

    /** The estimate is above the request's {@code max_credits}. */
    record AboveLimit(long estimate, long maxCredits) implements Admission {}

    record NotEnoughCredits(long estimate, long remaining) implements Admission {}

    record TooManyOpen(int limit) implements Admission {}

    /**
     * The state of an account before a submission.
     *
     * @param remaining credits that can still be reserved
     * @param open reports that have not ended
     * @param known the report that the same request made with the same Idempotency-Key, or null
     * @param keyTaken whether the Idempotency-Key belongs to another request
     */
    record Standing(long remaining, int open, @Nullable UUID known, boolean keyTaken) {}

    static Admission decide(Standing standing, Reservation wanted, int openLimit) {
        if (standing.known() != null) {
            return new Known(standing.known());
        }
        if (standing.keyTaken()) {
            return new KeyTaken();
        }
        if (wanted.maxCredits() != null && wanted.credits() > wanted.maxCredits()) {
            return new AboveLimit(wanted.credits(), wanted.maxCredits());
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
