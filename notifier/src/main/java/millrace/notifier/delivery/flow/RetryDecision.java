package millrace.notifier.delivery.flow;

import java.time.Instant;

/** What follows from an attempt. */
public sealed interface RetryDecision {
    /** The receiver has it. */
    record Delivered() implements RetryDecision {}

    /** Another attempt, not before {@code at}. */
    record RetryAt(Instant at) implements RetryDecision {}

    /** That was the last attempt. */
    record GivenUp() implements RetryDecision {}

    /** The receiver wants nothing more at this URL. */
    record Gone() implements RetryDecision {}
}
