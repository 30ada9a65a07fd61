package millrace.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs after the Standard Webhooks specification, version {@code v1}: HMAC-SHA256 over {@code id.timestamp.body}. With
 * several secrets there are several signatures in one header, so that a receiver may know the old or the new one.
 */
public final class Signature {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String SECRET_PREFIX = "whsec_";

    private final List<SecretKey> keys;

    private Signature(List<SecretKey> keys) {
        this.keys = keys;
    }

    /**
     * @param secrets base64 with or without {@code whsec_}, the newest first
     * @throws IllegalArgumentException where there is none, or one is empty or not base64; the message holds no secret
     */
    public static Signature of(List<String> secrets) {
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("there is no webhook secret");
        }
        return new Signature(secrets.stream().map(Signature::key).toList());
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
        String signatures =
                keys.stream().map(key -> "v1," + sign(key, prefix, body)).collect(Collectors.joining(" "));
        return Map.of("webhook-id", id, "webhook-timestamp", timestamp, "webhook-signature", signatures);
    }

    private static SecretKey key(String secret) {
        String base64 = secret.startsWith(SECRET_PREFIX) ? secret.substring(SECRET_PREFIX.length()) : secret;
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            if (bytes.length > 0) {
                return new SecretKeySpec(bytes, ALGORITHM);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("a webhook secret is not base64");
        }
        throw new IllegalArgumentException("a webhook secret is empty");
    }

    private static String sign(SecretKey key, byte[] prefix, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(prefix);
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
