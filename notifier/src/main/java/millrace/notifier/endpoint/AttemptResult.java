package millrace.notifier.endpoint;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The result of one attempt, as retries and flow control need it. */
public sealed interface AttemptResult {
    int GONE = 410;
    int TOO_MANY_REQUESTS = 429;
    int UNAVAILABLE = 503;

    /** What the result says about the endpoint. */
    enum Sign {
        /** The receiver works. */
        GOOD,
        /** The receiver works, and asks to wait or for fewer requests. */
        BUSY,
        /** The receiver does not work. */
        BAD
    }

    Sign sign();

    /** Whether the receiver answered at all. */
    default boolean answered() {
        return this instanceof Answered;
    }

    /** The time until which the receiver asked to wait, if that is respected; else null. */
    @Nullable
    Instant pauseUntil();

    /**
     * @param status of the answer
     * @param retryAfter time that the receiver asked for, or null
     */
    record Answered(int status, @Nullable Instant retryAfter) implements AttemptResult {
        public boolean success() {
            return status >= 200 && status < 300;
        }

        @Override
        public Sign sign() {
            if (success() || status == GONE) {
                return Sign.GOOD;
            }
            return status == TOO_MANY_REQUESTS || pauseUntil() != null ? Sign.BUSY : Sign.BAD;
        }

        @Override
        public @Nullable Instant pauseUntil() {
            return status == TOO_MANY_REQUESTS || status == UNAVAILABLE ? retryAfter : null;
        }
    }

    /** The receiver gave no valid answer in time, or the request could not be sent. */
    record NoAnswer() implements AttemptResult {
        @Override
        public Sign sign() {
            return Sign.BAD;
        }

        @Override
        public @Nullable Instant pauseUntil() {
            return null;
        }
    }
}
