package millrace.processor.warehouse;

import java.util.Optional;

/** Which version of each dataset's data new reports use. Safe for use by several threads, and fast: asked for each command. */
@FunctionalInterface
public interface DataVersions {
    /** Empty where the dataset has no data. */
    Optional<String> current(String dataset);

    /** Says, every now and then, that an open report reads this version: it must not go. */
    default void inUse(String dataset, String version) {}
}
