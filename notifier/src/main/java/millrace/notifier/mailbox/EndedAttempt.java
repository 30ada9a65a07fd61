package millrace.notifier.mailbox;

import java.time.Instant;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.HeldEvent;
import millrace.notifier.delivery.flow.AttemptResult;
import millrace.webhook.Exchange;

/**
 * An attempt that has ended.
 *
 * @param delivery the payload that was sent
 * @param slow whether the attempt was in the slow lane
 */
public record EndedAttempt(
        EndpointQueue queue, HeldEvent event, Deliver delivery, boolean slow, Instant startedAt, Exchange exchange)
        implements LoopMessage {
    public AttemptResult outcome() {
        return switch (exchange) {
            case Exchange.Answered answered -> new AttemptResult.Answered(answered.status(), answered.retryAfter());
            case Exchange.TimedOut _, Exchange.Failed _, Exchange.Blocked _ -> new AttemptResult.NoAnswer();
        };
    }
}
