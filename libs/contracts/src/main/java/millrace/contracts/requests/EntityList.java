package millrace.contracts.requests;

import java.util.List;
import java.util.UUID;

/**
 * A request's entities where they are too many for a record: a file in the report store with one
 * entity per line, sorted by UTF-8 bytes, with LF between them and none at the end. The file is
 * durable before anything refers to it, and is kept as long as the report.
 *
 * @param count entities
 * @param bytes size of the file
 * @param sha256 lower-case hex over the file
 * @param step entities from one mark to the next
 * @param marks offsets in the file at which the entities 0, {@code step}, 2 × {@code step} and so
 *     on begin
 */
public record EntityList(int count, long bytes, String sha256, int step, List<Long> marks) {
    /** Lists up to this size travel with their query; longer ones lie in the store. */
    public static final int MOST_INLINE_BYTES = 64 * 1024;

    public static final int MOST_MARKS = 1_000;
    /** How many entities a query with a list still contains. */
    public static final int SHOWN = 10;

    public EntityList {
        if (count < 1 || step < 1 || marks.size() != Math.ceilDiv(count, step)) {
            throw new IllegalArgumentException(
                    "no list: " + count + " entities, " + marks.size() + " marks, " + step + " apart");
        }
        marks = List.copyOf(marks);
    }

    /**
     * Entities from one mark to the next, so that the marks are dense enough for any number of
     * slices, and few enough for a record.
     */
    public static int step(int count) {
        return Math.max(1, Math.ceilDiv(count, MOST_MARKS));
    }

    /** Name of a report's list in the store. */
    public static String fileName(String accountId, UUID reportId) {
        return accountId + "/" + reportId + "/request";
    }

    /** The position of the entities from {@code from}, inclusive, to {@code to}, exclusive. */
    public EntityRange range(String file, int from, int to) {
        if (from < 0 || from >= to || to > count) {
            throw new IllegalArgumentException("no range of " + count + " entities: " + from + " to " + to);
        }
        return new EntityRange(file, bytes, marks.get(from / step), from % step, to - from);
    }
}
