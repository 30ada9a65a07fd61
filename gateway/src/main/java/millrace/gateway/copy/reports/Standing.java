package millrace.gateway.copy.reports;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of an account before a submission.
 *
 * @param remaining credits that can still be reserved
 * @param open reports that have not ended
 * @param known the report that the same request made with the same Idempotency-Key, or null
 * @param keyTaken whether the Idempotency-Key belongs to another request, or to a report that was erased
 */
public record Standing(long remaining, int open, @Nullable UUID known, boolean keyTaken) {}
