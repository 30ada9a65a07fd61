package millrace.gateway.copy.activity;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Credits that complete reports cost.
 *
 * @param reports complete ones, also those that cost nothing
 */
public record UsedCredits(long credits, long reports) {
    public static final UsedCredits NONE = new UsedCredits(0, 0);

    public UsedCredits plus(UsedCredits other) {
        return new UsedCredits(credits + other.credits, reports + other.reports);
    }

    public UsedCredits minus(UsedCredits other) {
        return new UsedCredits(credits - other.credits, reports - other.reports);
    }

    byte[] bytes() {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(credits)
                .putLong(reports)
                .array();
    }

    static UsedCredits read(byte @Nullable [] bytes) {
        if (bytes == null) {
            return NONE;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new UsedCredits(in.getLong(), in.getLong());
    }
}
