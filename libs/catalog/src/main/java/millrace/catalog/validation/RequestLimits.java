package millrace.catalog.validation;

import java.util.List;

/**
 * Bounds of a request.
 *
 * @param maxEntities most distinct domains or keywords
 */
public record RequestLimits(int maxEntities) {
    public static final RequestLimits DEFAULT = new RequestLimits(1_000_000);

    /** Most values of a filter that allows any. */
    private static final int MOST_VALUES = 100_000;
    /** Most names that the catalog or the account declares; no declaration has as many. */
    public static final int MOST_NAMES = 1_000;

    public static final int LARGEST_LIMIT = 1_000_000;
    public static final int LARGEST_OFFSET = 1_000_000_000;
    /** Code points of the name of a report. */
    public static final int LONGEST_NAME = 200;
    /** Tags of a report. */
    public static final int MOST_TAGS = 10;
    /** How long a client may ask to keep its file. */
    public static final List<Integer> RETENTION_DAYS = List.of(1, 30, 60, 180, 365);

    public RequestLimits {
        if (maxEntities < 1) {
            throw new IllegalArgumentException("max_entities must be at least 1: " + maxEntities);
        }
    }

    /** Most distinct values of a filter. */
    int maxValues() {
        return Math.min(maxEntities, MOST_VALUES);
    }
}
