package millrace.gateway.copy.activity;

import java.nio.ByteBuffer;

/**
 * How attempts to make reports ended, for example those of a dataset on a day.
 *
 * @param complete attempts; so are the two that follow
 * @param failed without the cancelled ones
 * @param rows of complete reports, as are credits and durations
 */
public record EndedReports(long complete, long failed, long cancelled, long rows, long credits, Durations durations) {
    public static final EndedReports NONE = new EndedReports(0, 0, 0, 0, 0, new Durations());
    static final EndedReports FAILED = new EndedReports(0, 1, 0, 0, 0, new Durations());
    static final EndedReports CANCELLED = new EndedReports(0, 0, 1, 0, 0, new Durations());

    static EndedReports complete(long rows, long credits, long millis) {
        return new EndedReports(1, 0, 0, rows, credits, Durations.of(millis));
    }

    public EndedReports plus(EndedReports other) {
        return new EndedReports(
                complete + other.complete,
                failed + other.failed,
                cancelled + other.cancelled,
                rows + other.rows,
                credits + other.credits,
                durations.plus(other.durations));
    }

    byte[] bytes() {
        ByteBuffer out = ByteBuffer.allocate(5 * Long.BYTES + durations.bytes());
        out.putLong(complete).putLong(failed).putLong(cancelled).putLong(rows).putLong(credits);
        durations.write(out);
        return out.array();
    }

    static EndedReports read(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new EndedReports(
                in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong(), Durations.read(in));
    }
}
