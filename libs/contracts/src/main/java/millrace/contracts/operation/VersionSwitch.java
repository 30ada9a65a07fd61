package millrace.contracts.operation;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An operator wants new reports to read another version of a dataset.
 *
 * @param from the version that was current when the operator looked; where another one is current by then, nothing
 *     changes
 * @param actor who wants it
 */
public record VersionSwitch(
        String dataset,
        String from,
        String to,
        String actor,
        @Nullable String reason,
        Instant requestedAt) {}
