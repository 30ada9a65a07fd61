package millrace.notifier.delivery.flow;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How one attempt ended, as far as it matters for what comes next. */
public sealed interface AttemptResult {
    int GONE = 410;
    int TOO_MANY_REQUESTS = 429;
    int UNAVAILABLE = 503;

    /** What it tells of the endpoint, whatever it means for the event. */
    enum Sign {
        /** The receiver works. */
        GOOD,
        /** It works, and wants less. */
        BUSY,
        /** It does not work. */
        BAD
    }

    Sign sign();

    /** What the receiver asked for, where that is obeyed; or null. */
    @Nullable
    Instant pauseUntil();

    /**
     * @param status of the answer
     * @param retryAfter what the receiver asked for, or null
     */
    record Answered(int status, @Nullable Instant retryAfter) implements AttemptResult {
        public boolean success() {
            return status >= 200 && status < 300;
        }

        @Override
        public Sign sign() {
            return success() || status == GONE ? Sign.GOOD : status == TOO_MANY_REQUESTS ? Sign.BUSY : Sign.BAD;
        }

        @Override
        public @Nullable Instant pauseUntil() {
            return status == TOO_MANY_REQUESTS || status == UNAVAILABLE ? retryAfter : null;
        }
    }

    /** No usable answer in time, or nothing could be sent. */
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
