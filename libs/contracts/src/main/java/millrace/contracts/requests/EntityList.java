package millrace.contracts.requests;

import java.util.List;
import java.util.UUID;

/**
 * Entities of a request that are too many for a record: a file in the report store, one entity per line, sorted by UTF-8
 * bytes, LF between them and none at the end. It is durable before anything refers to it, and kept as long as the report is.
 *
 * @param count entities
 * @param bytes size of the file
 * @param sha256 lower-case hex over the file
 * @param step how many entities there are from one mark to the next
 * @param marks where in the file the entities 0, {@code step}, 2 × {@code step} and so on begin
 */
public record EntityList(int count, long bytes, String sha256, int step, List<Long> marks) {
    /** A list that is longer than this, in bytes, does not travel with its query. */
    public static final int MOST_INLINE_BYTES = 64 * 1024;
    /** Most marks of a list. */
    public static final int MOST_MARKS = 1_000;
    /** How many entities a query shows that has a list. */
    public static final int SHOWN = 10;

    public EntityList {
        if (count < 1 || step < 1 || marks.size() != Math.ceilDiv(count, step)) {
            throw new IllegalArgumentException(
                    "no list: " + count + " entities, " + marks.size() + " marks, " + step + " apart");
        }
        marks = List.copyOf(marks);
    }

    /** Entities from one mark to the next, so that there are enough marks for any number of slices, and not too many. */
    public static int step(int count) {
        return Math.max(1, Math.ceilDiv(count, MOST_MARKS));
    }

    /** The name of a report's list in the store. */
    public static String fileName(String accountId, UUID reportId) {
        return accountId + "/" + reportId + "/request";
    }

    /** Where to read the entities {@code from} to, but without, {@code to}. */
    public EntityRange range(String file, int from, int to) {
        if (from < 0 || from >= to || to > count) {
            throw new IllegalArgumentException("no range of " + count + " entities: " + from + " to " + to);
        }
        return new EntityRange(file, bytes, marks.get(from / step), from % step, to - from);
    }
}
