package millrace.gateway.webhooks.index;

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

    boolean matches(DeliveryEntry delivery) {
        return (report == null || report.equals(delivery.report()))
                && (endpoint == null || endpoint.equals(delivery.receiver().id()))
                && delivery.occurredAt() >= from
                && delivery.occurredAt() < to
                && (states.isEmpty() || states.contains(delivery.state()));
    }
}
