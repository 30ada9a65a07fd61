package millrace.gateway.copy.deliveries;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/**
 * A position among an account's deliveries: the event with this time and id. Events that come later
 * do not move it.
 *
 * @param occurredAt epoch milliseconds
 */
public record DeliveryCursor(long occurredAt, DeliveryId id) {
    static final int BYTES = 3 * Long.BYTES + Integer.BYTES;

    /** Empty where the text is not a cursor. */
    public static Optional<DeliveryCursor> parse(String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            if (bytes.length != BYTES) {
                return Optional.empty();
            }
            ByteBuffer in = ByteBuffer.wrap(bytes);
            return Optional.of(new DeliveryCursor(
                    in.getLong(), new DeliveryId(new UUID(in.getLong(), in.getLong()), in.getInt())));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public String text() {
        UUID report = id.report();
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        out.putLong(occurredAt)
                .putLong(report.getMostSignificantBits())
                .putLong(report.getLeastSignificantBits())
                .putInt(id.sequence());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
    }
}
