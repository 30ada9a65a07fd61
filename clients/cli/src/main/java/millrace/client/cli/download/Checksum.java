package millrace.client.cli.download;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 of bytes that come piece by piece, and how many there were. */
final class Checksum {
    private final MessageDigest digest;
    private long bytes;

    Checksum() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    void add(byte[] piece, int n) {
        digest.update(piece, 0, n);
        bytes += n;
    }

    void reset() {
        digest.reset();
        bytes = 0;
    }

    long bytes() {
        return bytes;
    }

    /** Lower case. Nothing can be added after it. */
    String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
