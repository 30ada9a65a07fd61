package millrace.processor.warehouse;

import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * The current version of each dataset, which new reports read. Implementations are thread-safe and fast, since every
 * command asks.
 */
@FunctionalInterface
public interface DataVersions {
    /**
     * The current version; empty where the dataset has no data.
     *
     * @throws java.io.UncheckedIOException where it cannot be read
     */
    Optional<String> current(String dataset);

    /** Whether the current version of each dataset could be read when it was last read. */
    default boolean readable() {
        return true;
    }

    /** Reads the current version of each dataset, so that {@link #readable} knows. */
    default void check() {}

    /** All versions that the warehouse has. */
    default Collection<String> versions(String dataset) throws IOException {
        return current(dataset).stream().toList();
    }

    /** Whether reports can read the version, whether or not it is current. */
    default boolean has(String dataset, String version) {
        return current(dataset).filter(version::equals).isPresent();
    }

    /** Whether operators can switch to another version through Millrace. */
    default boolean switchable() {
        return false;
    }

    /** When the version was made or became current; empty where that is not known. */
    default Optional<Instant> updatedAt(String dataset, String version) {
        return Optional.empty();
    }

    /** When the version became the current one; empty where it is not, or the warehouse does not say. */
    default Optional<Instant> switchedAt(String dataset, String version) {
        return Optional.empty();
    }

    /** Marks the version as read by an open report, so that it is not deleted. To be called regularly. */
    default void inUse(String dataset, String version) {}
}
