package millrace.catalog;

/**
 * How large a request may be.
 *
 * @param maxEntities most domains or keywords, after duplicates were dropped
 */
public record Limits(int maxEntities) {
    public static final Limits DEFAULT = new Limits(1_000_000);

    /** Most values of any other list. */
    private static final int MOST_VALUES = 100_000;

    public Limits {
        if (maxEntities < 1) {
            throw new IllegalArgumentException("max_entities must be at least 1: " + maxEntities);
        }
    }

    /** Most countries, metrics, or values of a filter. */
    public int maxValues() {
        return Math.min(maxEntities, MOST_VALUES);
    }
}
