package millrace.webhook;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Signs after the Standard Webhooks specification: {@code id.timestamp.body} with HMAC-SHA256 ({@code v1}), or where the
 * account has an ed25519 key, with that ({@code v1a}). With several secrets there are several signatures in one header, so
 * that a receiver may know the old or the new one.
 */
public final class WebhookSigner {
    private final List<SigningKey> keys;

    private WebhookSigner(List<SigningKey> keys) {
        this.keys = keys;
    }

    /**
     * @param secrets the newest first: {@code whsec_} and base64, or base64 alone, signs {@code v1}; {@code whsk_} and base64
     *     of an ed25519 key (a seed of 32 bytes, or seed and public key) signs {@code v1a}
     * @throws IllegalArgumentException where there is none, or one is empty, not base64 or no key; the message holds no secret
     */
    public static WebhookSigner of(List<String> secrets) {
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("there is no webhook secret");
        }
        return new WebhookSigner(secrets.stream().map(SigningKey::of).toList());
    }

    /**
     * What receivers need to verify {@code v1a}: {@code whpk_} and base64 of the public key, for each {@code whsk_} secret in
     * the order given.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    public static List<String> publicKeys(List<String> secrets) {
        return secrets.stream()
                .filter(secret -> secret.startsWith(SigningKey.ASYMMETRIC))
                .map(SigningKey::publicKey)
                .toList();
    }

    /**
     * The headers of one attempt.
     *
     * @param id the same for every attempt of one event
     * @param sentAt the time of this attempt: receivers refuse one that is more than 5 minutes off
     */
    public Map<String, String> headers(String id, Instant sentAt, byte[] body) {
        String timestamp = Long.toString(sentAt.getEpochSecond());
        byte[] prefix = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
        String signatures = keys.stream().map(key -> key.sign(prefix, body)).collect(Collectors.joining(" "));
        return Map.of("webhook-id", id, "webhook-timestamp", timestamp, "webhook-signature", signatures);
    }
}
