package millrace.contracts.requests;

import java.util.UUID;

/**
 * Values of a filter that are too many for a record: a file in the report store, one value per line, sorted by UTF-8 bytes, LF
 * between them and none at the end. It is durable before anything refers to it, and kept as long as the report is.
 *
 * @param count values
 * @param bytes size of the file
 * @param sha256 lower-case hex over the file
 */
public record FilterList(int count, long bytes, String sha256) {
    /** A list that is longer than this, in bytes, does not travel with its query, which every slice repeats. */
    public static final int MOST_INLINE_BYTES = 16 * 1024;
    /** Of a list. It is in memory while a slice is rendered. */
    public static final int MOST_BYTES = 8 * 1024 * 1024;

    private static final String PREFIX = "filter-";

    /** The name of a report's list in the store. */
    public static String fileName(String accountId, UUID reportId, String column) {
        return accountId + "/" + reportId + "/" + PREFIX + column;
    }

    /** Whether a file of a report's folder is such a list, by its name there. */
    public static boolean isFileName(String name) {
        return name.startsWith(PREFIX);
    }
}
