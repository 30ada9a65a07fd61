package millrace.gateway.copy.deliveries;

/**
 * A delivery at one moment.
 *
 * @param occurredAt epoch milliseconds, as are {@code lastAttemptAt} and {@code nextAttemptAt};
 *     these are 0 where there is none
 * @param endpoint its id, {@code ep_…}
 * @param url without query string
 * @param attempts that have ended
 * @param httpStatus the receiver's last answer, 0 where there was none
 */
public record DeliveryView(
        DeliveryId id,
        long occurredAt,
        String endpoint,
        String url,
        DeliveryStatus state,
        int attempts,
        long lastAttemptAt,
        long nextAttemptAt,
        int httpStatus,
        Places places) {

    public DeliveryCursor cursor() {
        return new DeliveryCursor(occurredAt, id);
    }

    /**
     * The offsets of the records about the delivery. All webhook topics have an endpoint's records
     * in the same partition.
     *
     * @param delivery offset of the newest record with the body
     * @param attempts offsets, in their order
     * @param deadLetter offset, or -1
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
    public record Places(int partition, long delivery, long[] attempts, long deadLetter) {}
}
