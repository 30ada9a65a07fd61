package millrace.webhook;

/**
 * One event on its way to one URL.
 *
 * @param id {@code webhook-id}, the same for every attempt
 * @param body the exact text that is signed and sent, JSON
 */
public record Webhook(String url, String id, String body, Signature signature) {}
