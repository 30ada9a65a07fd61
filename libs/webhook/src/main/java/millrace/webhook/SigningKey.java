package millrace.webhook;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** One webhook secret of an account and its signature scheme. */
sealed interface SigningKey {
    String SYMMETRIC = "whsec_";
    String ASYMMETRIC = "whsk_";
    String PUBLIC = "whpk_";

    /** Returns version and signature as in the header. */
    String sign(byte[] prefix, byte[] body);

    /**
     * @param secret {@code whsec_} and base64 of any bytes, or without {@code whsec_}; {@code
     *     whsk_} and base64 of an ed25519 seed of 32 bytes, which the 32 bytes of the public key
     *     may follow
     * @throws IllegalArgumentException where it is none of these; the message does not contain the
     *     secret
     */
    static SigningKey of(String secret) {
        if (secret.startsWith(ASYMMETRIC)) {
            return new Ed25519(Ed25519.key(bytes(secret.substring(ASYMMETRIC.length()))));
        }
        byte[] bytes = bytes(secret.startsWith(SYMMETRIC) ? secret.substring(SYMMETRIC.length()) : secret);
        return HmacSha256.of(bytes);
    }

    /**
     * Returns {@code whpk_} and base64 of the public key.
     *
     * @param secret {@code whsk_…}
     */
    static String publicKey(String secret) {
        byte[] raw = Ed25519.publicKey(bytes(secret.substring(ASYMMETRIC.length())));
        return PUBLIC + Base64.getEncoder().encodeToString(raw);
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

    /**
     * {@code v1}: both sides have the secret.
     *
     * @param prototype initialised with the key; each signature uses a copy, which is half the work
     *     of a new one
     */
    record HmacSha256(Mac prototype) implements SigningKey {
        private static final String ALGORITHM = "HmacSHA256";

        static HmacSha256 of(byte[] secret) {
            try {
                Mac mac = Mac.getInstance(ALGORITHM);
                mac.init(new SecretKeySpec(secret, ALGORITHM));
                return new HmacSha256(mac);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
            }
        }

        @Override
        public String sign(byte[] prefix, byte[] body) {
            try {
                Mac mac = (Mac) prototype.clone();
                mac.update(prefix);
                return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(ALGORITHM + " of this Java cannot be copied", e);
            }
        }
    }

    /** {@code v1a}: the receiver has only the public key. */
    record Ed25519(PrivateKey key) implements SigningKey {
        private static final String ALGORITHM = "Ed25519";
        private static final int SEED_BYTES = 32;

        /**
         * Generates a key pair with the seed in place of random bytes, since the JDK derives public
         * keys only there.
         */
        private static byte[] publicKey(byte[] bytes) {
            try {
                KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
                generator.initialize(NamedParameterSpec.ED25519, new Seed(seed(bytes)));
                byte[] encoded = generator.generateKeyPair().getPublic().getEncoded();
                return Arrays.copyOfRange(encoded, encoded.length - SEED_BYTES, encoded.length);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this Java has no " + ALGORITHM, e);
            }
        }

        private static final class Seed extends SecureRandom {
            private static final long serialVersionUID = 1;

            private final byte[] seed;

            Seed(byte[] seed) {
                this.seed = seed;
            }

            @Override
            public void nextBytes(byte[] bytes) {
                System.arraycopy(seed, 0, bytes, 0, bytes.length);
            }
        }

        private static byte[] seed(byte[] bytes) {
            if (bytes.length != SEED_BYTES && bytes.length != 2 * SEED_BYTES) {
                throw new IllegalArgumentException("a webhook secret is no ed25519 key: it has " + bytes.length
                        + " bytes, not " + SEED_BYTES + " or " + 2 * SEED_BYTES);
            }
            return Arrays.copyOf(bytes, SEED_BYTES);
        }

        private static PrivateKey key(byte[] bytes) {
            byte[] seed = seed(bytes);
            try {
                return KeyFactory.getInstance(ALGORITHM)
                        .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed));
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
