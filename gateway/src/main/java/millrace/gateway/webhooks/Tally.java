package millrace.gateway.webhooks;

/**
 * What the deliveries of an endpoint add up to.
 *
 * @param waiting neither delivered nor given up
 * @param oldestWaiting when it occurred, in epoch milliseconds as are the others; {@link Long#MAX_VALUE}: none waits
 * @param lastSuccessAt 0 where there was none
 * @param lastErrorAt 0 where there was none
 * @param lastErrorStatus 0 where the receiver did not answer
 */
public record Tally(long waiting, long oldestWaiting, long lastSuccessAt, long lastErrorAt, int lastErrorStatus) {
    static Tally of(Delivery delivery) {
        DeliveryView view = delivery.view();
        boolean waits = view.state() == State.WAITING || view.state() == State.FAILED;
        boolean delivered = view.state() == State.DELIVERED;
        return new Tally(
                waits ? 1 : 0,
                waits ? view.occurredAt() : Long.MAX_VALUE,
                delivered ? view.lastAttemptAt() : 0,
                delivered ? 0 : view.lastAttemptAt(),
                delivered ? 0 : view.httpStatus());
    }

    Tally plus(Tally other) {
        boolean newer = other.lastErrorAt > lastErrorAt;
        return new Tally(
                waiting + other.waiting,
                Math.min(oldestWaiting, other.oldestWaiting),
                Math.max(lastSuccessAt, other.lastSuccessAt),
                newer ? other.lastErrorAt : lastErrorAt,
                newer ? other.lastErrorStatus : lastErrorStatus);
    }
}
