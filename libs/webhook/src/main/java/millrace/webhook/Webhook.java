package millrace.webhook;

import org.jspecify.annotations.Nullable;

/**
 * One event for one URL.
 *
 * @param id {@code webhook-id}, the same for every attempt
 * @param body the exact JSON text that is signed and sent
 * @param traceparent W3C trace context for the receiver, or null
 */
public record Webhook(
        String url,
        String id,
        String body,
        WebhookSigner signature,
        @Nullable String traceparent) {
    /** A webhook without a trace. */
    public Webhook(String url, String id, String body, WebhookSigner signature) {
        this(url, id, body, signature, null);
    }
}
