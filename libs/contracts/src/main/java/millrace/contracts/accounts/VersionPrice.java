package millrace.contracts.accounts;

import org.jspecify.annotations.Nullable;

/**
 * The most that a report may cost if it reads this version of the data.
 *
 * @param dataVersion the version that the report's entities were looked up in
 * @param credits at most those of the quote, which counts all entities
 * @param pinned true if the client was promised the price, so that the report reads the version as long as the warehouse
 *     has it; null if it reads the version only while that is current
 */
public record VersionPrice(
        String dataVersion, long credits, @Nullable Boolean pinned) {
    /** Of the current version. */
    public VersionPrice(String dataVersion, long credits) {
        this(dataVersion, credits, null);
    }
}
