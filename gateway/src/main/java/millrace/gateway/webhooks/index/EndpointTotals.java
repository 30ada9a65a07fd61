package millrace.gateway.webhooks.index;

/**
 * The deliveries of an endpoint, added up.
 *
 * @param waiting neither delivered nor given up
 * @param oldestWaiting when it occurred, in epoch milliseconds as are the others; {@link
 *     Long#MAX_VALUE} where none waits
 * @param lastSuccessAt 0 where there was none
 * @param lastErrorAt 0 where there was none
 * @param lastErrorStatus 0 where the receiver did not answer
 */
public record EndpointTotals(
        long waiting, long oldestWaiting, long lastSuccessAt, long lastErrorAt, int lastErrorStatus) {
    static EndpointTotals of(DeliveryEntry delivery) {
        DeliveryView view = delivery.view();
        boolean waits = view.state() == DeliveryStatus.WAITING || view.state() == DeliveryStatus.FAILED;
        boolean delivered = view.state() == DeliveryStatus.DELIVERED;
        return new EndpointTotals(
                waits ? 1 : 0,
                waits ? view.occurredAt() : Long.MAX_VALUE,
                delivered ? view.lastAttemptAt() : 0,
                delivered ? 0 : view.lastAttemptAt(),
                delivered ? 0 : view.httpStatus());
    }

    EndpointTotals plus(EndpointTotals other) {
        boolean newer = other.lastErrorAt > lastErrorAt;
        return new EndpointTotals(
                waiting + other.waiting,
                Math.min(oldestWaiting, other.oldestWaiting),
                Math.max(lastSuccessAt, other.lastSuccessAt),
                newer ? other.lastErrorAt : lastErrorAt,
                newer ? other.lastErrorStatus : lastErrorStatus);
    }
}
