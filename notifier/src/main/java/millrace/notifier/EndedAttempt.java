package millrace.notifier;

import java.time.Instant;
import millrace.contracts.DeliveryCommand.Deliver;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.HeldEvent;
import millrace.notifier.delivery.Outcome;
import millrace.webhook.Exchange;

/**
 * An exchange that is over.
 *
 * @param delivery what was sent
 * @param slow whether it went in the slow lane
 */
record EndedAttempt(
        EndpointQueue queue, HeldEvent event, Deliver delivery, boolean slow, Instant startedAt, Exchange exchange)
        implements Mail {
    Outcome outcome() {
        return switch (exchange) {
            case Exchange.Answered answered -> new Outcome.Answered(answered.status(), answered.retryAfter());
            case Exchange.TimedOut _, Exchange.Failed _, Exchange.Blocked _ -> new Outcome.NoAnswer();
        };
    }
}
