package millrace.notifier;

import java.time.Instant;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.HeldEvent;
import millrace.webhook.Exchange;

/** An exchange that is over. */
record EndedAttempt(EndpointQueue queue, HeldEvent event, Instant startedAt, Exchange exchange) {}
