package millrace.gateway.status;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Converts the lines of a text to the elements of a JSON array, without its brackets, while it is
 * read.
 */
final class JsonArrayStream extends InputStream {
    private static final int CHUNK = 1 << 14;

    private final JsonStringEncoder json = JsonStringEncoder.getInstance();
    private final BufferedReader lines;
    private final String quote;
    private byte[] chunk = new byte[0];
    private int at;
    private boolean first = true;

    /** @param integers whether the lines are numbers, which are not quoted */
    JsonArrayStream(BufferedReader lines, boolean integers) {
        this.lines = lines;
        this.quote = integers ? "" : "\"";
    }

    @Override
    public int read() throws IOException {
        return fill() ? chunk[at++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int n = Math.min(length, chunk.length - at);
        System.arraycopy(chunk, at, bytes, offset, n);
        at += n;
        return n;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    private boolean fill() throws IOException {
        if (at < chunk.length) {
            return true;
        }
        var next = new ByteArrayOutputStream(CHUNK);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            next.writeBytes(((first ? "" : ",") + quote).getBytes(StandardCharsets.UTF_8));
            next.writeBytes(json.quoteAsUTF8(line));
            next.writeBytes(quote.getBytes(StandardCharsets.UTF_8));
            first = false;
            if (next.size() >= CHUNK) {
                break;
            }
        }
        chunk = next.toByteArray();
        at = 0;
        return chunk.length > 0;
    }
}
