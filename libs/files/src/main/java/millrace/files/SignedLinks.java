package millrace.files;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import java.util.regex.Pattern;
import millrace.contracts.Hashes;
import millrace.contracts.reports.StoredFile;

/**
 * Signs and checks download links, which let their holder read one file until they expire: {@code
 * {public address}/v3/batch/download/{report_id}?file=…&expires=<epoch seconds>&signature=…}. The
 * signature is an HMAC-SHA256 (base64url, no padding) over report, file and expiry.
 */
public final class SignedLinks {
    /** Path of the links, before {@code /{report_id}}. */
    public static final String PATH = "/v3/batch/download";

    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,11}");

    private final String publicAddress;
    private final Key key;

    /**
     * @param secret at least 32 bytes, the same in all processes that sign and check; see {@link
     *     LinkSecret}
     */
    public SignedLinks(URI publicAddress, byte[] secret) {
        if (secret.length < LinkSecret.BYTES) {
            throw new IllegalArgumentException("a link secret has at least " + LinkSecret.BYTES + " bytes");
        }
        this.publicAddress = publicAddress.toString().replaceFirst("/+$", "");
        this.key = Hashes.hmacKey(secret);
    }

    /** The result of checking a link. */
    public sealed interface Verdict {
        /** The file may be served. */
        record Valid() implements Verdict {}

        /** A part of the link differs from what was signed. */
        record Altered() implements Verdict {}

        /** The link was valid until {@code since}. */
        record Expired(Instant since) implements Verdict {}
    }

    /** @param expiresAt in whole seconds; the link is expired from that second on */
    public URI link(UUID reportId, StoredFile file, Instant expiresAt) {
        long seconds = expiresAt.getEpochSecond();
        return URI.create(publicAddress + PATH + "/" + reportId
                + "?file=" + URLEncoder.encode(file.name(), StandardCharsets.UTF_8)
                + "&expires=" + seconds
                + "&signature=" + signature(reportId, file.name(), seconds));
    }

    /** Checks the decoded parameters of a link. Compares signatures in constant time. */
    public Verdict check(UUID reportId, String file, String expires, String signature, Instant now) {
        if (!SECONDS.matcher(expires).matches()) {
            return new Verdict.Altered();
        }
        long seconds = Long.parseLong(expires);
        byte[] expected = signature(reportId, file, seconds).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.UTF_8))) {
            return new Verdict.Altered();
        }
        Instant end = Instant.ofEpochSecond(seconds);
        return now.isBefore(end) ? new Verdict.Valid() : new Verdict.Expired(end);
    }

    private String signature(UUID reportId, String file, long expires) {
        String signed = "download.v1\n" + reportId + "\n" + expires + "\n" + file;
        byte[] digest = Hashes.hmacSha256(key, signed.getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }
}
