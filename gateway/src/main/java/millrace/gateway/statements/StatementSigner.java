package millrace.gateway.statements;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import millrace.contracts.CanonicalJson;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.runtime.settings.SecretFile;

/**
 * Signs statements and receipts: a JSON Web Signature (RFC 7515) with Ed25519 over their canonical JSON, which is left out
 * of it. The key follows from the bytes of a file. Safe for use by many threads.
 */
public final class StatementSigner {
    private static final String ALGORITHM = "Ed25519";
    private static final int KEY_BYTES = 32;

    private final KeyPair pair;
    private final String keyId;
    private final ObjectNode publicKey;
    private final String header;

    private StatementSigner(KeyPair pair) {
        this.pair = pair;
        byte[] encoded = pair.getPublic().getEncoded();
        String x = base64(Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length));
        publicKey = Json.MAPPER
                .createObjectNode()
                .put("crv", ALGORITHM)
                .put("kty", "OKP")
                .put("x", x);
        // The thumbprint of RFC 7638: whoever has the key can tell that the id is its own.
        keyId = base64(Hashes.sha256().digest(CanonicalJson.bytes(publicKey)));
        publicKey.put("alg", "EdDSA").put("kid", keyId).put("use", "sig");
        header = base64(CanonicalJson.bytes(Map.of("alg", "EdDSA", "kid", keyId)));
    }

    /** @param secret at least 32 random bytes */
    public static StatementSigner of(byte[] secret) {
        byte[] seed = Hashes.hmacSha256(Hashes.hmacKey(secret), "statements.v1".getBytes(StandardCharsets.US_ASCII));
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
            generator.initialize(NamedParameterSpec.ED25519, new Seed(seed));
            return new StatementSigner(generator.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        }
    }

    /**
     * Reads the file, or makes it if it is missing.
     *
     * @throws IOException also if the file has fewer than 32 bytes
     */
    public static StatementSigner load(Path file) throws IOException {
        return of(SecretFile.load(
                file, new SecureRandom(), "another key signs from then on; what was signed stays valid"));
    }

    /** The JDK derives a public key only when it draws the private one. */
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

    String keyId() {
        return keyId;
    }

    /** As a JSON Web Key. */
    byte[] publicKey() {
        return CanonicalJson.bytes(publicKey);
    }

    /** {@code {name: content, "signature": "…"}}. */
    public ObjectNode signed(String name, ObjectNode content) {
        ObjectNode signed = Json.MAPPER.createObjectNode();
        signed.set(name, content);
        return signed.put("signature", signature(CanonicalJson.bytes(content)));
    }

    private String signature(byte[] payload) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(pair.getPrivate());
            signature.update((header + "." + base64(payload)).getBytes(StandardCharsets.US_ASCII));
            return header + ".." + base64(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
