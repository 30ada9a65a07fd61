package io.millrace.client;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs and verifies as Standard Webhooks has it: {@code id.timestamp.body} with HMAC-SHA256 ({@code whsec_},
 * {@code v1}). Also verifies ed25519 ({@code whpk_}, {@code v1a}). {@link Webhooks#verify} is what a receiver needs.
 */
public final class WebhookSecret {
    private static final String HMAC = "HmacSHA256";
    private static final String ED25519 = "Ed25519";
    private static final String SYMMETRIC = "whsec_";
    private static final String PUBLIC = "whpk_";
    private static final int PUBLIC_BYTES = 32;
    /** What stands before the 32 bytes of a public key in X.509 (RFC 8410). */
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private final boolean publicKey;
    private final byte[] bytes;

    private WebhookSecret(boolean publicKey, byte[] bytes) {
        this.publicKey = publicKey;
        this.bytes = bytes;
    }

    /**
     * @param text {@code whsec_…}, {@code whpk_…}, or base64 alone
     * @throws IllegalArgumentException if it is none of these; the message does not have the secret
     */
    public static WebhookSecret of(String text) {
        if (text.startsWith("whsk_")) {
            throw new IllegalArgumentException("whsk_ is the sender's own key; receivers verify with whpk_, which"
                    + " GET /v3/batch/webhooks/keys lists");
        }
        boolean publicKey = text.startsWith(PUBLIC);
        byte[] bytes;
        try {
            bytes = Base64.getDecoder()
                    .decode(publicKey ? text.substring(PUBLIC.length()) : text.replaceFirst("^" + SYMMETRIC, ""));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the secret is not base64 after " + (publicKey ? PUBLIC : SYMMETRIC));
        }
        if (publicKey ? bytes.length != PUBLIC_BYTES : bytes.length == 0) {
            throw new IllegalArgumentException("the secret has " + bytes.length + " bytes"
                    + (publicKey ? ", and an ed25519 public key has " + PUBLIC_BYTES : ""));
        }
        return new WebhookSecret(publicKey, bytes);
    }

    /** A secret that is made of a key and a purpose: the same each time, and the key cannot be found from it. */
    public static WebhookSecret derived(String key, String purpose) {
        return new WebhookSecret(
                false, hmac(key.getBytes(StandardCharsets.UTF_8), purpose.getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether it is a public key, which verifies and cannot sign. */
    public boolean isPublic() {
        return publicKey;
    }

    /** As receivers write it. */
    public String text() {
        return (publicKey ? PUBLIC : SYMMETRIC) + Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * The header {@code webhook-signature}.
     *
     * @throws IllegalStateException if this is a public key
     */
    public String sign(String id, String timestamp, byte[] body) {
        if (publicKey) {
            throw new IllegalStateException("a public key cannot sign");
        }
        return "v1," + Base64.getEncoder().encodeToString(hmac(bytes, content(id, timestamp, body)));
    }

    /**
     * Whether one of the signatures of the header is right. Its time is not looked at.
     *
     * @param header separated by spaces
     */
    public boolean verifies(String header, String id, String timestamp, byte[] body) {
        byte[] content = content(id, timestamp, body);
        String version = publicKey ? "v1a," : "v1,";
        boolean verified = false;
        for (String signature : header.strip().split("\\s+", -1)) {
            if (signature.startsWith(version)) {
                verified |= verifies(signature.substring(version.length()), content);
            }
        }
        return verified;
    }

    private boolean verifies(String base64, byte[] content) {
        byte[] signature;
        try {
            signature = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return false;
        }
        return publicKey ? ed25519(signature, content) : MessageDigest.isEqual(signature, hmac(bytes, content));
    }

    private boolean ed25519(byte[] signature, byte[] content) {
        byte[] encoded = new byte[X509_PREFIX.length + bytes.length];
        System.arraycopy(X509_PREFIX, 0, encoded, 0, X509_PREFIX.length);
        System.arraycopy(bytes, 0, encoded, X509_PREFIX.length, bytes.length);
        try {
            PublicKey key = KeyFactory.getInstance(ED25519).generatePublic(new X509EncodedKeySpec(encoded));
            Signature verifier = Signature.getInstance(ED25519);
            verifier.initVerify(key);
            verifier.update(content);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false; // also a signature of the wrong length
        }
    }

    private static byte[] content(String id, String timestamp, byte[] body) {
        byte[] prefix = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
        byte[] content = new byte[prefix.length + body.length];
        System.arraycopy(prefix, 0, content, 0, prefix.length);
        System.arraycopy(body, 0, content, prefix.length, body.length);
        return content;
    }

    private static byte[] hmac(byte[] key, byte[] content) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }
}
