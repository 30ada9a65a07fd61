package millrace.catalog;

/**
 * How large a request may be.
 *
 * @param maxEntities most domains or keywords, after duplicates were dropped; also of a filter's values
 */
public record Limits(int maxEntities) {
    public static final Limits DEFAULT = new Limits(1_000_000);

    public Limits {
        if (maxEntities < 1) {
            throw new IllegalArgumentException("max_entities must be at least 1: " + maxEntities);
        }
    }
}
