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

/** How a body is packed (RFC 9110, section 8.4). */
enum ContentCoding {
    IDENTITY,
    GZIP,
    DEFLATE;

    /** As the header {@code Accept-Encoding} of an answer names them. */
    static final String ACCEPTED = "gzip, deflate";

    /** Empty where the request names a coding that is not known here, or several. */
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

    /** The body unpacked, while it is read; reading throws where it is not packed like this. */
    InputStream unpacked(InputStream body) {
        return switch (this) {
            case IDENTITY -> body;
            case GZIP -> new Opened(body, GZIPInputStream::new);
            case DEFLATE -> new Opened(body, InflaterInputStream::new);
        };
    }

    @FunctionalInterface
    private interface Opening {
        InputStream open(InputStream packed) throws IOException;
    }

    /** Opened at the first read, since opening reads. */
    private static final class Opened extends InputStream {
        private final InputStream packed;
        private final Opening opening;
        private InputStream stream = nullInputStream();
        private boolean open;

        Opened(InputStream packed, Opening opening) {
            this.packed = packed;
            this.opening = opening;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (!open) {
                stream = opening.open(packed);
                open = true;
            }
            return stream.read(bytes, offset, length);
        }

        /** The inflater's memory is not on the heap. */
        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
