package millrace.contracts.requests;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A version of a dataset that the warehouse has.
 *
 * @param updatedAt when it was made or became current; null where the warehouse does not say
 */
public record DatasetVersion(String version, @Nullable Instant updatedAt) {}
