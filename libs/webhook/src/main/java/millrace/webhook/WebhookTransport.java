package millrace.webhook;

import java.util.concurrent.CompletableFuture;

/** Sends webhooks. {@code WebhookSender} does so over HTTP. */
@FunctionalInterface
public interface WebhookTransport {
    /** Makes one attempt. Never blocks. The result never completes exceptionally. */
    CompletableFuture<Exchange> send(Webhook webhook);
}
