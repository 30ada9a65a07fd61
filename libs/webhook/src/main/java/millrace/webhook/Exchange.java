package millrace.webhook;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of one attempt to send a webhook. */
public sealed interface Exchange {
    /**
     * The time of an exchange by phase.
     *
     * @param phases only those that were reached
     */
    record ExchangeTimings(Duration total, Map<ExchangePhase, Duration> phases) {
        /** Timings of an exchange that was blocked. */
        public static final ExchangeTimings NONE = new ExchangeTimings(Duration.ZERO, Map.of());
    }

    ExchangeTimings timings();

    /** A sentence for people, without the URL, secrets and addresses. */
    String sentence();

    /**
     * The receiver answered, with whatever status.
     *
     * @param status not 1xx, except 101
     * @param retryAfter the time that a Retry-After header asks for, or null
     * @param text the first 16 KiB of the body; null where there is none, or it is not text
     */
    record Answered(
            int status,
            @Nullable Instant retryAfter,
            @Nullable String text,
            ExchangeTimings timings) implements Exchange {
        public boolean success() {
            return status >= 200 && status < 300;
        }

        @Override
        public String sentence() {
            return "The receiver answered " + status
                    + (status >= 300 && status < 400 ? ", which is not followed." : ".");
        }
    }

    /**
     * The deadline passed first.
     *
     * @param phase the phase at that time
     */
    record TimedOut(ExchangePhase phase, Duration deadline, ExchangeTimings timings) implements Exchange {
        @Override
        public String sentence() {
            return "No complete answer within " + deadline.toMillis() + " ms; the time ended while " + phase.words()
                    + ".";
        }
    }

    /**
     * There is no such host, the connection was refused or broke, a certificate is not trusted, or
     * the answer is not HTTP.
     */
    record Failed(ExchangePhase phase, String reason, ExchangeTimings timings) implements Exchange {
        @Override
        public String sentence() {
            return "Failed while " + phase.words() + ": " + reason + ".";
        }
    }

    /** Nothing was sent, because the URL or every address of its host is not allowed. */
    record Blocked(String reason, ExchangeTimings timings) implements Exchange {
        @Override
        public String sentence() {
            return "Not sent: " + reason + ".";
        }
    }
}
