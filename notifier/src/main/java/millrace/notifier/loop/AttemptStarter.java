package millrace.notifier.loop;

import io.opentelemetry.api.trace.Span;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.runtime.service.SteadyClock;
import millrace.runtime.telemetry.Spans;
import millrace.webhook.Exchange;
import millrace.webhook.ExchangeTimings;
import millrace.webhook.Webhook;
import millrace.webhook.WebhookSigner;
import millrace.webhook.WebhookTransport;

/**
 * Signs and sends events without blocking. The result of each attempt arrives in the mailbox as an {@link
 * EndedAttempt}.
 */
public final class AttemptStarter {
    private final WebhookTransport sender;
    private final WebhookSecrets secrets;
    private final SteadyClock clock;
    private final Mailbox mailbox;
    private final Map<String, Keys> keys = new HashMap<>();

    /** The signer of an account and the secrets that it was created with. */
    private record Keys(List<String> secrets, WebhookSigner signature) {}

    public AttemptStarter(WebhookTransport sender, WebhookSecrets secrets, SteadyClock clock, Mailbox mailbox) {
        this.sender = sender;
        this.secrets = secrets;
        this.clock = clock;
        this.mailbox = mailbox;
    }

    /** Does not block. Returns whether the attempt is in the slow lane. */
    @SuppressWarnings("FutureReturnValueIgnored") // the result arrives in the mailbox
    boolean start(EndpointQueue queue, HeldEvent event, Deliver delivery) {
        long began = clock.millis();
        Instant startedAt = clock.wall();
        boolean slow = queue.flow().slow();
        Span span = AttemptSpan.begin(delivery);
        send(delivery, Spans.traceparent(span, delivery.traceparent()))
                .thenAccept(exchange -> {
                    AttemptSpan.end(span, exchange);
                    mailbox.put(new EndedAttempt(queue, event, delivery, slow, began, startedAt, exchange));
                })
                .exceptionally(error -> {
                    mailbox.put(new LoopMessage.Failed(error)); // without a result the attempt would never end
                    return null;
                });
        return slow;
    }

    /** An unknown account may arrive later, so a missing secret is a failed attempt that is retried. */
    private CompletableFuture<Exchange> send(Deliver delivery, String traceparent) {
        WebhookSigner signature;
        try {
            signature = signature(delivery.accountId());
        } catch (IllegalArgumentException e) {
            String reason = "it cannot be signed for account " + delivery.accountId() + ": " + e.getMessage();
            return CompletableFuture.completedFuture(new Exchange.Blocked(reason, ExchangeTimings.NONE));
        }
        return sender.send(new Webhook(delivery.url(), delivery.eventId(), delivery.body(), signature, traceparent));
    }

    /** Reads the secrets for each attempt, so that a rotated secret is used at once. */
    private WebhookSigner signature(String account) {
        List<String> current = secrets.of(account);
        Keys known = keys.get(account);
        if (known == null || !known.secrets().equals(current)) {
            known = new Keys(current, WebhookSigner.of(current));
            keys.put(account, known);
        }
        return known.signature();
    }
}
