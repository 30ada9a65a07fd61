package millrace.gateway.fuzz;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A connection that any bytes can be sent over. */
public final class RawConnection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    public RawConnection(URI address, Duration timeout) throws IOException {
        socket = new Socket(address.getHost(), address.getPort());
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        timeout(timeout);
    }

    /** Of each read from now on; what takes longer throws a {@link java.net.SocketTimeoutException}. */
    public void timeout(Duration timeout) throws IOException {
        socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
    }

    /** Where the other side has closed already, nothing is sent. */
    public void send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (IOException e) {
            // It is allowed to; its answer, if there is one, can be read.
        }
    }

    public void send(String text) {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Says that nothing more is sent. */
    public void end() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            // closed already
        }
    }

    /**
     * The next answer that is not an interim one; empty at the end of the connection.
     *
     * @param ofHead the request was HEAD: there is no body
     */
    public Optional<RawResponse> answer(boolean ofHead) throws IOException {
        try {
            String line = line();
            while (line.startsWith("HTTP/1.1 100")) {
                Map<String, String> unused = headers();
                line = line();
            }
            if (!line.matches("HTTP/1\\.[01] [1-5][0-9]{2} .*")) {
                throw new IOException("not a status line: " + line);
            }
            int status = Integer.parseInt(line.substring(9, 12));
            Map<String, String> headers = headers();
            var head = new RawResponse(status, headers, new byte[0]);
            boolean none = ofHead || status == 204 || status == 304;
            return Optional.of(none ? head : new RawResponse(status, headers, body(head)));
        } catch (EOFException | SocketException e) {
            return Optional.empty();
        }
    }

    private Map<String, String> headers() throws IOException {
        Map<String, String> headers = new HashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    private byte[] body(RawResponse head) throws IOException {
        Map<String, String> headers = head.headers();
        if (head.isEventStream()) {
            boolean chunked = headers.getOrDefault("transfer-encoding", "").equals("chunked");
            return exactly(chunked ? Integer.parseInt(line(), 16) : 1);
        }
        if (headers.containsKey("content-length")) {
            return exactly(Integer.parseInt(headers.get("content-length")));
        }
        if (!headers.getOrDefault("transfer-encoding", "").equals("chunked")) {
            return in.readAllBytes();
        }
        var body = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            body.writeBytes(exactly(size));
            String unused = line();
        }
        String unused = line();
        return body.toByteArray();
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new IOException("an answer ends in the middle");
        }
        return bytes;
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            line.append((char) c);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
