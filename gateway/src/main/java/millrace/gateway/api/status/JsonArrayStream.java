package millrace.gateway.api.status;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import millrace.gateway.server.body.ChunkedStream;

/**
 * Converts the lines of a text to the elements of a JSON array, without its brackets, while it is
 * read.
 */
final class JsonArrayStream extends ChunkedStream {
    private static final int CHUNK = 1 << 14;

    private final JsonStringEncoder json = JsonStringEncoder.getInstance();
    private final BufferedReader lines;
    private final String quote;
    private boolean first = true;

    /** @param integers whether the lines are numbers, which are not quoted */
    JsonArrayStream(BufferedReader lines, boolean integers) {
        this.lines = lines;
        this.quote = integers ? "" : "\"";
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    @Override
    protected byte[] nextChunk() throws IOException {
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
        return next.toByteArray();
    }
}
