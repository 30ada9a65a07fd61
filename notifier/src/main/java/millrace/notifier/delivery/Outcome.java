package millrace.notifier.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How one attempt ended, as far as it matters for what comes next. */
public sealed interface Outcome {
    /**
     * @param status of the answer
     * @param retryAfter what the receiver asked for, or null
     */
    record Answered(int status, @Nullable Instant retryAfter) implements Outcome {}

    /** No usable answer in time, or nothing could be sent. */
    record NoAnswer() implements Outcome {}
}
