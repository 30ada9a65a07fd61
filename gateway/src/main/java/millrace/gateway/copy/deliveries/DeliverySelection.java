package millrace.gateway.copy.deliveries;

import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Selects some of an account's deliveries. A null component matches any.
 *
 * @param endpoint its id, {@code ep_…}
 * @param states any where empty
 * @param from epoch milliseconds, inclusive, of the event
 * @param to exclusive
 */
public record DeliverySelection(
        @Nullable UUID report, @Nullable String endpoint, Set<DeliveryStatus> states, long from, long to) {

    boolean matches(DeliveryView delivery) {
        return (report == null || report.equals(delivery.id().report()))
                && (endpoint == null || endpoint.equals(delivery.endpoint()))
                && delivery.occurredAt() >= from
                && delivery.occurredAt() < to
                && (states.isEmpty() || states.contains(delivery.state()));
    }
}
