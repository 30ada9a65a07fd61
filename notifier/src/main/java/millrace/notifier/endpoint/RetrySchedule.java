package millrace.notifier.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether and when a failed attempt is repeated.
 *
 * @param pauses after the first, second, … failed attempt; after the failure that follows the last pause the event is
 *     given up
 * @param jitter share of a pause by which it is randomly shorter or longer, 0 to 1, so that attempts that failed
 *     together are not repeated together
 */
public record RetrySchedule(List<Duration> pauses, double jitter) {
    /** A longer {@code Retry-After} is shortened, so that a receiver cannot delay an event for years. */
    static final Duration MAX_RETRY_AFTER = Duration.ofDays(1);

    public RetrySchedule {
        pauses = List.copyOf(pauses);
        if (pauses.stream().anyMatch(Duration::isNegative)) {
            throw new IllegalArgumentException("retry pauses must not be negative: " + pauses);
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException("retry jitter must be from 0 to 1, not " + jitter);
        }
    }

    /**
     * @param attempt number of the attempt that ended, from 1
     * @param random from 0 to 1
     */
    public Decision decide(AttemptResult outcome, int attempt, Instant now, double random) {
        return switch (outcome) {
            case AttemptResult.Answered answered when answered.success() -> new Decision.Delivered();
            case AttemptResult.Answered(int status, Instant _) when status == AttemptResult.GONE -> new Decision.Gone();
            case AttemptResult.Answered _, AttemptResult.NoAnswer _ ->
                retry(attempt, now, random, outcome.pauseUntil());
        };
    }

    private Decision retry(int attempt, Instant now, double random, @Nullable Instant retryAfter) {
        if (attempt > pauses.size()) {
            return new Decision.GivenUp();
        }
        Duration pause = pauses.get(attempt - 1);
        double factor = 1 + jitter * (2 * random - 1);
        Instant at = now.plusMillis(Math.round(pause.toMillis() * factor));
        if (retryAfter != null && retryAfter.isAfter(at)) {
            Instant latest = now.plus(MAX_RETRY_AFTER);
            at = retryAfter.isBefore(latest) ? retryAfter : latest.isAfter(at) ? latest : at;
        }
        return new Decision.RetryAt(at);
    }

    /** What is to be done with an event after an attempt. */
    public sealed interface Decision {
        /** The receiver accepted the event. */
        record Delivered() implements Decision {}

        /** The event is attempted again, not before {@code at}. */
        record RetryAt(Instant at) implements Decision {}

        /** The attempt was the last one. */
        record GivenUp() implements Decision {}

        /** The receiver answered 410 Gone: nothing more is sent to this URL. */
        record Gone() implements Decision {}
    }
}
