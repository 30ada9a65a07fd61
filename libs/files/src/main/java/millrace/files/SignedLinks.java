package millrace.files;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import millrace.contracts.reports.StoredFile;

/**
 * Addresses that let their holder read one file until a moment:
 * {@code {public address}/v3/batch/download/{report_id}?file=…&expires=<epoch seconds>&signature=…}. The signature is an
 * HMAC-SHA256 (base64url, no padding) over report, file and expiry.
 */
public final class SignedLinks {
    /** Path of the links, to which {@code /{report_id}} is added. */
    public static final String PATH = "/v3/batch/download";

    private static final String ALGORITHM = "HmacSHA256";
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,11}");

    private final String publicAddress;
    private final SecretKeySpec key;

    /** @param secret at least 32 bytes, the same for all that sign and check; see {@link LinkSecret} */
    public SignedLinks(URI publicAddress, byte[] secret) {
        if (secret.length < LinkSecret.BYTES) {
            throw new IllegalArgumentException("a link secret has at least " + LinkSecret.BYTES + " bytes");
        }
        this.publicAddress = publicAddress.toString().replaceFirst("/+$", "");
        this.key = new SecretKeySpec(secret, ALGORITHM);
    }

    /** What a presented link is worth. */
    public sealed interface Verdict {
        /** Its file may be handed out. */
        record Valid() implements Verdict {}

        /** Some part of it is not what was signed. */
        record Altered() implements Verdict {}

        /** It was genuine until {@code since}. */
        record Expired(Instant since) implements Verdict {}
    }

    /** @param expiresAt whole seconds count; from that second on the link is expired */
    public URI link(UUID reportId, StoredFile file, Instant expiresAt) {
        long seconds = expiresAt.getEpochSecond();
        return URI.create(publicAddress + PATH + "/" + reportId
                + "?file=" + URLEncoder.encode(file.name(), StandardCharsets.UTF_8)
                + "&expires=" + seconds
                + "&signature=" + signature(reportId, file.name(), seconds));
    }

    /** The parameters as they came, decoded; their comparison takes the same time wherever they differ. */
    public Verdict check(UUID reportId, String file, String expires, String signature, Instant now) {
        if (!SECONDS.matcher(expires).matches()) {
            return new Verdict.Altered();
        }
        long seconds = Long.parseLong(expires);
        byte[] wanted = signature(reportId, file, seconds).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(wanted, signature.getBytes(StandardCharsets.UTF_8))) {
            return new Verdict.Altered();
        }
        Instant end = Instant.ofEpochSecond(seconds);
        return now.isBefore(end) ? new Verdict.Valid() : new Verdict.Expired(end);
    }

    private String signature(UUID reportId, String file, long expires) {
        String signed = "download.v1\n" + reportId + "\n" + expires + "\n" + file;
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] digest = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
