package millrace.notifier;

import java.time.Instant;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.HeldEvent;
import millrace.notifier.delivery.Outcome;
import millrace.webhook.Exchange;

/** An exchange that is over. */
record EndedAttempt(EndpointQueue queue, HeldEvent event, Instant startedAt, Exchange exchange) {
    Outcome outcome() {
        return switch (exchange) {
            case Exchange.Answered answered -> new Outcome.Answered(answered.status(), answered.retryAfter());
            case Exchange.TimedOut _, Exchange.Failed _, Exchange.Blocked _ -> new Outcome.NoAnswer();
        };
    }
}
