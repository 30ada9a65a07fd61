package millrace.gateway.server.body;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import millrace.files.InflatedStream;

/** The compression of a body (RFC 9110, section 8.4). */
enum ContentCoding {
    IDENTITY,
    GZIP,
    DEFLATE;

    /** Value of Accept-Encoding in a response. */
    static final String ACCEPTED = "gzip, deflate";

    /** Empty where the request names an unknown coding or several. */
    static Optional<ContentCoding> of(HttpRequest<?> request) {
        List<String> headers = request.getHeaders().getAll(HttpHeaders.CONTENT_ENCODING);
        String coding = String.join(",", headers).strip().toLowerCase(Locale.ROOT);
        return switch (coding) {
            case "", "identity" -> Optional.of(IDENTITY);
            case "gzip", "x-gzip" -> Optional.of(GZIP);
            case "deflate" -> Optional.of(DEFLATE);
            default -> Optional.empty();
        };
    }

    /**
     * Decompresses the body while it is read. Reading throws where the body is not in this coding.
     */
    InputStream decompressed(InputStream body) {
        return switch (this) {
            case IDENTITY -> body;
            case GZIP -> InflatedStream.gzip(body);
            case DEFLATE -> InflatedStream.zlib(body);
        };
    }
}
