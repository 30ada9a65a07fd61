package millrace.contracts;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Computes SHA-256 hashes, as lower-case hex, and HMACs. */
public final class Hashes {
    private static final String HMAC = "HmacSHA256";

    private Hashes() {}

    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    public static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }

    public static String sha256(String text) {
        return sha256(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether two hashes are the same. Takes the same time wherever they differ. */
    public static boolean same(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
    }

    /** The hash of the lines joined by LF. */
    public static String sha256Lines(Iterable<String> lines) {
        MessageDigest digest = sha256();
        boolean first = true;
        for (String line : lines) {
            if (!first) {
                digest.update((byte) '\n');
            }
            first = false;
            digest.update(line.getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** HMAC-SHA256 over the parts, one after the other. */
    public static byte[] hmacSha256(Key key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }

    /** A key of {@link #hmacSha256}. */
    public static Key hmacKey(byte[] secret) {
        return new SecretKeySpec(secret, HMAC);
    }
}
