package millrace.webhook;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Signs webhooks according to Standard Webhooks: {@code id.timestamp.body} with HMAC-SHA256 ({@code
 * v1}), or with ed25519 ({@code v1a}) where the account has such a key. With several secrets the
 * header has several signatures, so that receivers may have the old or the new secret.
 */
public final class WebhookSigner {
    private final List<SigningKey> keys;

    private WebhookSigner(List<SigningKey> keys) {
        this.keys = keys;
    }

    /**
     * @param secrets newest first: {@code whsec_} and base64, or base64 alone, signs {@code v1};
     *     {@code whsk_} and base64 of an ed25519 key (a seed of 32 bytes, or seed and public key)
     *     signs {@code v1a}
     * @throws IllegalArgumentException where there is no secret, or one is empty, not base64 or not
     *     a key; the message does not contain secrets
     */
    public static WebhookSigner of(List<String> secrets) {
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("there is no webhook secret");
        }
        return new WebhookSigner(secrets.stream().map(SigningKey::of).toList());
    }

    /**
     * The public keys that verify {@code v1a}: {@code whpk_} and base64, for each {@code whsk_}
     * secret in the given order.
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
     * @param id the same for every attempt of an event
     * @param sentAt time of this attempt; receivers refuse one that is more than 5 minutes off
     */
    public Map<String, String> headers(String id, Instant sentAt, byte[] body) {
        String timestamp = Long.toString(sentAt.getEpochSecond());
        byte[] prefix = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
        String signatures = keys.stream().map(key -> key.sign(prefix, body)).collect(Collectors.joining(" "));
        return Map.of("webhook-id", id, "webhook-timestamp", timestamp, "webhook-signature", signatures);
    }
}
