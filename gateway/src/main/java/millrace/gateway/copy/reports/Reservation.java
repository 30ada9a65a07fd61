package millrace.gateway.copy.reports;

import java.util.UUID;
import millrace.contracts.commands.AccountCommand.Idempotency;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt at a report reserves of its account: credits, a place among the open reports, and
 * its Idempotency-Key.
 *
 * @param attempt 1, or the one that a retry asks for
 * @param credits that it may cost at most
 * @param idempotency null without a key
 * @param maxCredits the client's limit for the credits, or null
 */
public record Reservation(
        UUID reportId,
        int attempt,
        long credits,
        @Nullable Idempotency idempotency,
        @Nullable Long maxCredits) {

    /** Of a client who has set no limit. */
    public Reservation(UUID reportId, int attempt, long credits, @Nullable Idempotency idempotency) {
        this(reportId, attempt, credits, idempotency, null);
    }

    boolean hasKeyOf(Reservation other) {
        return idempotency != null
                && other.idempotency != null
                && idempotency.keyHash().equals(other.idempotency.keyHash());
    }
}
