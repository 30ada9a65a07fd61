package millrace.e2e.webhooks;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A receiver that misbehaves on its socket. */
final class FaultyReceiver implements AutoCloseable {
    private final ServerSocket server;
    private final List<String> ids = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Behaviour behaviour;

    private FaultyReceiver(ServerSocket server, Behaviour behaviour) {
        this.server = server;
        this.behaviour = behaviour;
    }

    /** Handles a request that was received completely. The connection is closed afterwards. */
    interface Behaviour {
        void answer(OutputStream out, CountDownLatch closed) throws IOException, InterruptedException;
    }

    static FaultyReceiver start(Behaviour behaviour) throws IOException {
        var receiver = new FaultyReceiver(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), behaviour);
        Thread.ofVirtual().start(receiver::accept);
        return receiver;
    }

    /** Closes the connection at once. */
    static Behaviour silence() {
        return (out, closed) -> {};
    }

    static Behaviour status(int code, String... headers) {
        return (out, closed) -> write(out, head(code, headers));
    }

    static Behaviour late(long millis) {
        return (out, closed) -> {
            if (!closed.await(millis, TimeUnit.MILLISECONDS)) {
                write(out, head(200));
            }
        };
    }

    /** Sends the whole answer, one byte at a time. */
    static Behaviour drip(long millis) {
        return (out, closed) -> {
            for (char c : head(200).toCharArray()) {
                write(out, String.valueOf(c));
                if (closed.await(millis, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        };
    }

    void behave(Behaviour next) {
        behaviour = next;
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/hook";
    }

    /** The {@code webhook-id} of each request, in the order of arrival. */
    List<String> ids() {
        return ids;
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        server.close();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            read(new BufferedInputStream(socket.getInputStream()));
            behaviour.answer(socket.getOutputStream(), closed);
        } catch (IOException e) {
            // the sender has closed the connection
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(InputStream in) throws IOException {
        var head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no request");
            }
            head.write(next);
        }
        int length = 0;
        for (String line : head.toString(StandardCharsets.US_ASCII).lines().toList()) {
            String value = line.substring(line.indexOf(':') + 1).strip();
            switch (line.substring(0, Math.max(0, line.indexOf(':'))).toLowerCase(Locale.ROOT)) {
                case "content-length" -> length = Integer.parseInt(value);
                case "webhook-id" -> ids.add(value);
                default -> {}
            }
        }
        in.readNBytes(length);
    }

    private static String head(int code, String... headers) {
        return "HTTP/1.1 " + code + " So\r\ncontent-length: 0\r\nconnection: close\r\n"
                + String.join("", Stream.of(headers).map(h -> h + "\r\n").toList()) + "\r\n";
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }
}
