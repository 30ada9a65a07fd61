package millrace.webhook;

import java.util.concurrent.CompletableFuture;

/** Sends webhooks. {@link WebhookSender} does so over HTTP. */
@FunctionalInterface
public interface Sender {
    /** Makes one attempt. Never blocks, and the result never completes exceptionally. */
    CompletableFuture<Exchange> send(Webhook webhook);
}
