package millrace.client.cli.statements;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import millrace.client.cli.output.Json;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;

/**
 * Public keys, with which signatures of statements and receipts are checked.
 *
 * @param jwks a JSON Web Key Set
 */
record SigningKeys(JsonNode jwks) {
    private static final String ED25519 = "Ed25519";
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    /**
     * The content that was signed.
     *
     * @param name of its field
     * @param what it is, for sentences
     * @throws CliException if the signature is not that of one of the keys
     */
    JsonNode content(JsonNode signed, String name, String what) throws CliException {
        JsonNode content = signed.path(name);
        String[] parts = Json.text(signed, "signature").split("\\.", -1);
        try {
            if (content.isObject() && parts.length == 3 && parts[1].isEmpty()) {
                JsonNode header =
                        Json.read(new String(Base64.getUrlDecoder().decode(parts[0]), StandardCharsets.UTF_8));
                PublicKey key = key(Json.text(header, "kid"), what);
                byte[] payload = Base64.getUrlEncoder().withoutPadding().encode(Json.canonical(content));
                Signature verifier = Signature.getInstance(ED25519);
                verifier.initVerify(key);
                verifier.update((parts[0] + ".").getBytes(StandardCharsets.US_ASCII));
                verifier.update(payload);
                if (Json.text(header, "alg").equals("EdDSA")
                        && verifier.verify(Base64.getUrlDecoder().decode(parts[2]))) {
                    return content;
                }
            }
        } catch (JsonProcessingException | GeneralSecurityException | IllegalArgumentException e) {
            // It is not a signature.
        }
        throw new CliException(ExitCodes.ALTERED, what + " is not what was signed");
    }

    private PublicKey key(String id, String what) throws CliException, GeneralSecurityException {
        for (JsonNode key : jwks.path("keys")) {
            if (Json.text(key, "kid").equals(id)) {
                byte[] raw = Base64.getUrlDecoder().decode(Json.text(key, "x"));
                byte[] encoded = ByteBuffer.allocate(X509_PREFIX.length + raw.length)
                        .put(X509_PREFIX)
                        .put(raw)
                        .array();
                return KeyFactory.getInstance(ED25519).generatePublic(new X509EncodedKeySpec(encoded));
            }
        }
        throw new CliException(ExitCodes.ALTERED, what + " was signed by key " + id + ", which is not among the keys");
    }
}
