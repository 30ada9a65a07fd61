package millrace.gateway.http.body;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import millrace.files.BlockInputStream;

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
            case GZIP -> new LazyStream(body, GZIPInputStream::new);
            case DEFLATE -> new LazyStream(body, InflaterInputStream::new);
        };
    }

    @FunctionalInterface
    private interface StreamOpener {
        InputStream open(InputStream compressed) throws IOException;
    }

    /** Opens the decompressor at the first read, because opening it reads the header. */
    private static final class LazyStream extends BlockInputStream {
        private final InputStream compressed;
        private final StreamOpener opener;
        private InputStream stream = nullInputStream();
        private boolean open;

        LazyStream(InputStream compressed, StreamOpener opener) {
            this.compressed = compressed;
            this.opener = opener;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (!open) {
                stream = opener.open(compressed);
                open = true;
            }
            return stream.read(bytes, offset, length);
        }

        /** Frees the inflater's memory, which is not on the heap. */
        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
