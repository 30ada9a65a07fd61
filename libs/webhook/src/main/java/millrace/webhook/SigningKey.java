package millrace.webhook;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** One secret of an account, and what it signs with. */
sealed interface SigningKey {
    String SYMMETRIC = "whsec_";
    String ASYMMETRIC = "whsk_";

    /** Version and signature, as in the header. */
    String sign(byte[] prefix, byte[] body);

    /**
     * @param secret {@code whsec_} and base64 of any bytes, or without {@code whsec_}; {@code whsk_} and base64 of an ed25519
     *     seed of 32 bytes, which the 32 bytes of the public key may follow
     * @throws IllegalArgumentException where it is none of these; the message holds no secret
     */
    static SigningKey of(String secret) {
        if (secret.startsWith(ASYMMETRIC)) {
            return new Ed25519(Ed25519.key(bytes(secret.substring(ASYMMETRIC.length()))));
        }
        byte[] bytes = bytes(secret.startsWith(SYMMETRIC) ? secret.substring(SYMMETRIC.length()) : secret);
        return new HmacSha256(new SecretKeySpec(bytes, HmacSha256.ALGORITHM));
    }

    private static byte[] bytes(String base64) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("a webhook secret is not base64");
        }
        if (bytes.length == 0) {
            throw new IllegalArgumentException("a webhook secret is empty");
        }
        return bytes;
    }

    /** {@code v1}: both sides know the secret. */
    record HmacSha256(SecretKey key) implements SigningKey {
        private static final String ALGORITHM = "HmacSHA256";

        @Override
        public String sign(byte[] prefix, byte[] body) {
            try {
                Mac mac = Mac.getInstance(ALGORITHM);
                mac.init(key);
                mac.update(prefix);
                return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
            }
        }
    }

    /** {@code v1a}: the receiver knows the public key only. */
    record Ed25519(PrivateKey key) implements SigningKey {
        private static final String ALGORITHM = "Ed25519";
        private static final int SEED_BYTES = 32;

        private static PrivateKey key(byte[] bytes) {
            if (bytes.length != SEED_BYTES && bytes.length != 2 * SEED_BYTES) {
                throw new IllegalArgumentException("a webhook secret is no ed25519 key: it has " + bytes.length
                        + " bytes, not " + SEED_BYTES + " or " + 2 * SEED_BYTES);
            }
            try {
                return KeyFactory.getInstance(ALGORITHM)
                        .generatePrivate(
                                new EdECPrivateKeySpec(NamedParameterSpec.ED25519, Arrays.copyOf(bytes, SEED_BYTES)));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this Java has no " + ALGORITHM, e);
            }
        }

        @Override
        public String sign(byte[] prefix, byte[] body) {
            try {
                Signature signature = Signature.getInstance(ALGORITHM);
                signature.initSign(key);
                signature.update(prefix);
                signature.update(body);
                return "v1a," + Base64.getEncoder().encodeToString(signature.sign());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this Java has no " + ALGORITHM, e);
            }
        }
    }
}
