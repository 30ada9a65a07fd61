package io.millrace.client;

import io.millrace.client.MillraceException.WebhookException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Verifies webhooks after the Standard Webhooks specification (https://www.standardwebhooks.com/). */
public final class Webhooks {
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,11}");

    private Webhooks() {}

    /** Verifies a webhook with one secret, a tolerance of five minutes and the clock of this machine. */
    public static Map<String, Object> verify(String secret, Map<String, ?> headers, byte[] body) {
        return verify(List.of(secret), headers, body, Duration.ofMinutes(5), Instant.now());
    }

    /**
     * Verifies a webhook.
     *
     * @param secrets {@code whsec_…}, or a public key {@code whpk_…}; several while the receiver changes it
     * @param headers of the request, texts or lists of them
     * @param body its bytes, before any parsing
     * @param tolerance between the sender's clock and this one
     * @return the event
     * @throws WebhookException if it is not one that the service sent now
     */
    public static Map<String, Object> verify(
            Collection<String> secrets, Map<String, ?> headers, byte[] body, Duration tolerance, Instant now) {
        List<WebhookSecret> keys = secrets.stream().map(Webhooks::secret).toList();
        if (keys.isEmpty()) {
            throw new WebhookException("There is no webhook secret.");
        }
        String id = header(headers, "webhook-id");
        String sent = header(headers, "webhook-timestamp");
        String signatures = header(headers, "webhook-signature");
        if (!SECONDS.matcher(sent).matches()) {
            throw new WebhookException("The header webhook-timestamp is not a number of seconds.");
        }
        String parts = " " + signatures.strip().replaceAll("\\s+", " ");
        if (keys.stream().noneMatch(WebhookSecret::isPublic) && !parts.contains(" v1,") && parts.contains(" v1a,")) {
            throw new WebhookException(
                    "The webhook has no v1 signature; v1a (ed25519) is not verified with this secret.");
        }
        if (keys.stream().noneMatch(key -> key.verifies(signatures, id, sent, body))) {
            throw new WebhookException(
                    "No signature of the webhook fits: it has another secret, or its body was changed on the way.");
        }
        long age = now.getEpochSecond() - Long.parseLong(sent);
        if (Math.abs(age) > tolerance.toSeconds()) {
            throw new WebhookException("The webhook was signed " + Math.abs(age) + " seconds "
                    + (age > 0 ? "before" : "after") + " the time of this machine, "
                    + Instant.ofEpochSecond(now.getEpochSecond()) + "; " + tolerance.toSeconds()
                    + " are accepted. It is a repeat, or a clock is wrong.");
        }
        try {
            return Json.object(Json.read(new String(body, StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException e) {
            throw new WebhookException("The body of the webhook is not JSON.");
        }
    }

    private static String header(Map<String, ?> headers, String name) {
        return headers.entrySet().stream()
                .filter(header -> name.equalsIgnoreCase(header.getKey()))
                .map(Map.Entry::getValue)
                .map(value ->
                        value instanceof Iterable<?> list ? list.iterator().next() : value)
                .map(String::valueOf)
                .findFirst()
                .orElseThrow(() -> new WebhookException("The header " + name + " is missing."));
    }

    private static WebhookSecret secret(String text) {
        try {
            return WebhookSecret.of(text.strip());
        } catch (IllegalArgumentException e) {
            throw new WebhookException("A webhook secret is whsec_ and base64.");
        }
    }
}
