package millrace.gateway.api.status;

import java.net.URI;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Function;
import millrace.contracts.reports.StoredFile;
import millrace.files.SignedLinks;

/**
 * Makes and checks signed download links. Their address is set once the server listens, where no
 * public address is configured.
 */
public final class DownloadLinks {
    private final Function<URI, SignedLinks> signer;
    private volatile SignedLinks links;

    public DownloadLinks(URI address, Function<URI, SignedLinks> signer) {
        this.signer = signer;
        this.links = signer.apply(address);
    }

    public void servedAt(URI address) {
        links = signer.apply(address);
    }

    public URI of(UUID reportId, StoredFile file, Instant expiresAt) {
        return links.link(reportId, file, expiresAt);
    }

    public SignedLinks.Verdict check(UUID reportId, String file, String expires, String signature, Instant now) {
        return links.check(reportId, file, expires, signature, now);
    }
}
