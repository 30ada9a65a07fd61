package millrace.webhook.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP receiver on a real socket that behaves, or misbehaves, as its script says. */
final class ScriptedReceiver implements AutoCloseable {
    /** Answers one request, on the connection it came on. */
    interface Script {
        void answer(Request request, Wire wire) throws IOException, InterruptedException;
    }

    record Request(String line, Map<String, String> headers, String body) {}

    private final ServerSocket server;
    private final Script script;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile String greeting = "";
    final AtomicInteger connections = new AtomicInteger();

    ScriptedReceiver(ServerSocket server, Script script) {
        this.server = server;
        this.script = script;
        Thread.ofVirtual().start(this::accept);
    }

    static ScriptedReceiver start(Script script) throws IOException {
        return new ScriptedReceiver(new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1")), script);
    }

    static ScriptedReceiver answering(String head, String body) throws IOException {
        return start((request, wire) -> wire.write(head + "\r\ncontent-length: " + body.length() + "\r\n\r\n" + body));
    }

    int port() {
        return server.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:" + port() + "/hook?token=x";
    }

    /** Connections that neither side has closed. */
    long open() {
        return sockets.stream().filter(s -> !s.isClosed()).count();
    }

    /** Sent on each connection before anything is read. */
    void greetWith(String text) {
        greeting = text;
    }

    private void accept() {
        try {
            while (!server.isClosed()) {
                Socket socket = server.accept();
                sockets.add(socket);
                connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            closed.countDown();
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in = new BufferedInputStream(socket.getInputStream());
            var wire = new Wire(socket, socket.getOutputStream());
            wire.write(greeting);
            while (!socket.isClosed()) {
                Request request = read(in);
                requests.add(request);
                script.answer(request, wire);
            }
        } catch (IOException | InterruptedException e) {
            closed.getCount(); // the sender has closed the connection, or the test is over
        }
    }

    private static Request read(InputStream in) throws IOException {
        String line = line(in);
        Map<String, String> headers = new TreeMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Request(line, headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the connection was closed");
            }
            line.append((char) b);
        }
        return line.toString().strip();
    }

    @Override
    public void close() {
        try {
            closed.countDown();
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The answering side of a connection. */
    final class Wire {
        private final Socket socket;
        private final OutputStream out;

        Wire(Socket socket, OutputStream out) {
            this.socket = socket;
            this.out = out;
        }

        void write(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }

        /** One byte at a time. */
        void drip(String text, long everyMillis) throws IOException, InterruptedException {
            for (int i = 0; i < text.length(); i++) {
                write(text.substring(i, i + 1));
                pause(everyMillis);
            }
        }

        /** Waits so long, or until the test is over. */
        void pause(long millis) throws InterruptedException {
            boolean over = closed.await(millis, TimeUnit.MILLISECONDS);
            if (over) {
                throw new InterruptedException("the test is over");
            }
        }

        void close() throws IOException {
            socket.close();
        }

        /** Closes with a reset. */
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
