package millrace.webhook;

import org.jspecify.annotations.Nullable;

/**
 * One event on its way to one URL.
 *
 * @param id {@code webhook-id}, the same for every attempt
 * @param body the exact text that is signed and sent, JSON
 * @param traceparent W3C trace context that the receiver is given, or null
 */
public record Webhook(
        String url,
        String id,
        String body,
        WebhookSigner signature,
        @Nullable String traceparent) {
    /** One that nothing is traced for. */
    public Webhook(String url, String id, String body, WebhookSigner signature) {
        this(url, id, body, signature, null);
    }
}
