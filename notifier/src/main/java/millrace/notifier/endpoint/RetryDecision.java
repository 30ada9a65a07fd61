package millrace.notifier.endpoint;

import java.time.Instant;

/** What is to be done with an event after an attempt. */
public sealed interface RetryDecision {
    /** The receiver accepted the event. */
    record Delivered() implements RetryDecision {}

    /** The event is attempted again, not before {@code at}. */
    record RetryAt(Instant at) implements RetryDecision {}

    /** The attempt was the last one. */
    record GivenUp() implements RetryDecision {}

    /** The receiver answered 410 Gone: nothing more is sent to this URL. */
    record Gone() implements RetryDecision {}
}
