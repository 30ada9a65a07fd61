package millrace.webhook;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How one attempt to send a webhook ended. */
public sealed interface Exchange {
    ExchangeTimings timings();

    /** One sentence for people; without the URL, secrets and addresses. */
    String sentence();

    /**
     * The receiver answered, whatever it answered.
     *
     * @param status not 1xx, but for 101
     * @param retryAfter what a Retry-After header asks for, or null
     * @param body its first 16 KiB as UTF-8
     */
    record Answered(int status, @Nullable Instant retryAfter, String body, ExchangeTimings timings)
            implements Exchange {
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
     * The deadline came first.
     *
     * @param phase what was going on then
     */
    record TimedOut(ExchangePhase phase, Duration deadline, ExchangeTimings timings) implements Exchange {
        @Override
        public String sentence() {
            return "No complete answer within " + deadline.toMillis() + " ms; the time ended while " + phase.words()
                    + ".";
        }
    }

    /** No such host, a refused or broken connection, a certificate that is not trusted, an answer that is not HTTP. */
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
