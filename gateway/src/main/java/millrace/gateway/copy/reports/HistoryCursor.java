package millrace.gateway.copy.reports;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.Optional;
import java.util.UUID;

/**
 * A position in an account's history: the report with this time and id. Reports that come later do
 * not move it.
 *
 * @param submittedAt epoch milliseconds
 */
public record HistoryCursor(long submittedAt, UUID reportId) {
    /** The order of the keys on the disk, where ids are bytes without a sign. */
    public static final Comparator<HistoryCursor> NEWEST_FIRST = Comparator.comparingLong(HistoryCursor::submittedAt)
            .reversed()
            .thenComparing(cursor -> cursor.reportId().getMostSignificantBits(), Long::compareUnsigned)
            .thenComparing(cursor -> cursor.reportId().getLeastSignificantBits(), Long::compareUnsigned);

    /** Across accounts: what has waited longest comes first. */
    public static final Comparator<HistoryCursor> OLDEST_FIRST =
            Comparator.comparingLong(HistoryCursor::submittedAt).thenComparing(HistoryCursor::reportId);

    private static final int BYTES = 3 * Long.BYTES;

    /** After it come the reports that were submitted before the time. */
    public static HistoryCursor before(Instant time) {
        return new HistoryCursor(time.toEpochMilli(), new UUID(-1, -1));
    }

    /** Empty where the text is not a cursor. */
    public static Optional<HistoryCursor> parse(String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            if (bytes.length != BYTES) {
                return Optional.empty();
            }
            ByteBuffer in = ByteBuffer.wrap(bytes);
            return Optional.of(new HistoryCursor(in.getLong(), new UUID(in.getLong(), in.getLong())));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public String text() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        out.putLong(submittedAt).putLong(reportId.getMostSignificantBits()).putLong(reportId.getLeastSignificantBits());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
    }
}
