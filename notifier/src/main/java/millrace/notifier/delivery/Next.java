package millrace.notifier.delivery;

import java.time.Instant;

/** What follows from an attempt. */
public sealed interface Next {
    /** The receiver has it. */
    record Delivered() implements Next {}

    /** Another attempt, not before {@code at}. */
    record RetryAt(Instant at) implements Next {}

    /** That was the last attempt. */
    record GivenUp() implements Next {}

    /** The receiver wants nothing more at this URL. */
    record Gone() implements Next {}
}
