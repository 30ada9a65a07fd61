package millrace.notifier.loop;

import java.time.Instant;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.notifier.endpoint.AttemptResult;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.runtime.service.SteadyClock;
import millrace.webhook.Exchange;

/**
 * An attempt that has ended.
 *
 * @param delivery the payload that was sent
 * @param slow whether the attempt was in the slow lane
 * @param began time of the loop's clock when the attempt began
 * @param startedAt time of the wall clock then
 */
public record EndedAttempt(
        EndpointQueue queue,
        HeldEvent event,
        Deliver delivery,
        boolean slow,
        long began,
        Instant startedAt,
        Exchange exchange)
        implements LoopMessage {
    /** @param clock of the loop, whose time the result has */
    public AttemptResult result(SteadyClock clock) {
        return switch (exchange) {
            case Exchange.Answered answered -> {
                Instant retryAfter = answered.retryAfter();
                yield new AttemptResult.Answered(
                        answered.status(), retryAfter == null ? null : Instant.ofEpochMilli(clock.of(retryAfter)));
            }
            case Exchange.TimedOut _, Exchange.Failed _, Exchange.Blocked _ -> new AttemptResult.NoAnswer();
        };
    }
}
