package millrace.catalog.validation;

/**
 * How large a request may be.
 *
 * @param maxEntities most domains or keywords, after duplicates were dropped
 */
public record RequestLimits(int maxEntities) {
    public static final RequestLimits DEFAULT = new RequestLimits(1_000_000);

    /** Most values of a filter that takes any. */
    private static final int MOST_VALUES = 100_000;
    /** Most names of what the catalog or the account lists: there are never so many. */
    static final int MOST_NAMES = 1_000;

    public RequestLimits {
        if (maxEntities < 1) {
            throw new IllegalArgumentException("max_entities must be at least 1: " + maxEntities);
        }
    }

    /** Most values of a filter, after duplicates were dropped. */
    public int maxValues() {
        return Math.min(maxEntities, MOST_VALUES);
    }
}
