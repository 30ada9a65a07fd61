package millrace.catalog.validation;

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

    public RequestLimits {
        if (maxEntities < 1) {
            throw new IllegalArgumentException("max_entities must be at least 1: " + maxEntities);
        }
    }

    /** Most distinct values of a filter. */
    public int maxValues() {
        return Math.min(maxEntities, MOST_VALUES);
    }
}
