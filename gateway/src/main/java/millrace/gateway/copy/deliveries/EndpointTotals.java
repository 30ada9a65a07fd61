package millrace.gateway.copy.deliveries;

import java.nio.ByteBuffer;

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
    static final EndpointTotals NONE = new EndpointTotals(0, Long.MAX_VALUE, 0, 0, 0);

    EndpointTotals plus(EndpointTotals other) {
        boolean newer = other.lastErrorAt > lastErrorAt
                || (other.lastErrorAt == lastErrorAt && other.lastErrorStatus > lastErrorStatus);
        return new EndpointTotals(
                waiting + other.waiting,
                Math.min(oldestWaiting, other.oldestWaiting),
                Math.max(lastSuccessAt, other.lastSuccessAt),
                newer ? other.lastErrorAt : lastErrorAt,
                newer ? other.lastErrorStatus : lastErrorStatus);
    }

    /** The same without what waits of the other; times stay. */
    EndpointTotals minusWaiting(EndpointTotals other) {
        return new EndpointTotals(waiting - other.waiting, oldestWaiting, lastSuccessAt, lastErrorAt, lastErrorStatus);
    }

    EndpointTotals withOldestWaiting(long occurredAt) {
        return new EndpointTotals(waiting, occurredAt, lastSuccessAt, lastErrorAt, lastErrorStatus);
    }

    /** Without the oldest that waits, which the deliveries tell. */
    byte[] row() {
        return ByteBuffer.allocate(3 * Long.BYTES + Short.BYTES)
                .putLong(waiting)
                .putLong(lastSuccessAt)
                .putLong(lastErrorAt)
                .putShort((short) lastErrorStatus)
                .array();
    }

    /** @param row as {@link #row} has made it */
    static EndpointTotals of(byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row);
        return new EndpointTotals(in.getLong(), Long.MAX_VALUE, in.getLong(), in.getLong(), in.getShort());
    }
}
