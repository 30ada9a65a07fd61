package millrace.gateway.admission;

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
 */
public record Reservation(
        UUID reportId, int attempt, long credits, @Nullable Idempotency idempotency) {
    public boolean hasKeyOf(Reservation other) {
        return idempotency != null
                && other.idempotency != null
                && idempotency.keyHash().equals(other.idempotency.keyHash());
    }
}
