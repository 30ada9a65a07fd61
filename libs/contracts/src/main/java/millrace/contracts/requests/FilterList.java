package millrace.contracts.requests;

import java.util.UUID;

/**
 * A filter's values where they are too many for a record: a file in the report store with one value
 * per line, sorted by UTF-8 bytes, with LF between them and none at the end. The file is durable
 * before anything refers to it, and is kept as long as the report.
 *
 * @param count values
 * @param bytes size of the file
 * @param sha256 lower-case hex over the file
 */
public record FilterList(int count, long bytes, String sha256) {
    /** Lists up to this size travel with their query, which every slice repeats. */
    public static final int MOST_INLINE_BYTES = 16 * 1024;
    /** Largest list. It is in memory while a slice is rendered. */
    public static final int MOST_BYTES = 8 * 1024 * 1024;

    private static final String PREFIX = "filter-";

    /** Name of a report's list in the store. */
    public static String fileName(String accountId, UUID reportId, String column) {
        return accountId + "/" + reportId + "/" + PREFIX + column;
    }

    /**
     * Whether a file in a report's folder is such a list.
     *
     * @param name within the folder
     */
    public static boolean isFileName(String name) {
        return name.startsWith(PREFIX);
    }
}
