package millrace.processor.warehouse;

import java.util.Optional;

/**
 * The current version of each dataset, which new reports read. Implementations are thread-safe and fast, since every
 * command asks.
 */
@FunctionalInterface
public interface DataVersions {
    /** The current version; empty where the dataset has no data. */
    Optional<String> current(String dataset);

    /** Marks the version as read by an open report, so that it is not deleted. To be called regularly. */
    default void inUse(String dataset, String version) {}
}
