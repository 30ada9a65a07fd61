package io.millrace.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that plays the exchanges of a scenario and notes what is wrong with the requests. */
final class ScriptedServer implements Waiting {
    private static final int TIMEOUT_MILLIS = 10_000;

    private final List<Map<String, Object>> exchanges;
    private final Map<String, Object> files;
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final List<Double> sleeps = new ArrayList<>();
    private final Set<String> idempotencyKeys = new HashSet<>();
    private final int port;
    private ServerSocket listener;
    private Thread thread;
    private int next;
    private int sleepsUntilUp;
    private int received;

    ScriptedServer(List<Object> exchanges, Map<String, Object> files) throws IOException {
        this.exchanges = exchanges.stream().map(TestData::map).toList();
        this.files = files;
        this.listener = listen(0);
        this.port = listener.getLocalPort();
        serve();
    }

    String base() {
        return "http://127.0.0.1:" + port;
    }

    /** The seconds for which the client has slept. */
    List<Double> sleeps() {
        return sleeps;
    }

    /** Ends the server; everything that was to be asked for must have been. Returns what was wrong. */
    List<String> end() throws IOException, InterruptedException {
        listener.close();
        thread.join(TIMEOUT_MILLIS);
        if (next < exchanges.size()) {
            wrong.add("only " + next + " of " + exchanges.size() + " requests came");
        }
        return wrong;
    }

    @Override
    public long nanoTime() {
        return (long) (sleeps.stream().mapToDouble(s -> s).sum() * 1e9);
    }

    @Override
    public void pause(Duration duration) {
        sleeps.add(Http.seconds(duration));
        if (sleepsUntilUp > 0 && --sleepsUntilUp == 0) {
            try {
                listener = listen(port);
                serve();
            } catch (IOException e) {
                wrong.add(e.toString());
            }
        }
    }

    @Override
    public synchronized void received(int bytes) {
        received += bytes;
        notifyAll();
    }

    private static ServerSocket listen(int port) throws IOException {
        var socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    private boolean isDown() {
        return next < exchanges.size() && exchanges.get(next).containsKey("down");
    }

    private void serve() throws IOException {
        if (isDown()) {
            stop();
        }
        ServerSocket current = listener;
        thread = new Thread(() -> serve(current));
        thread.start();
    }

    private void stop() throws IOException {
        sleepsUntilUp = TestData.number(exchanges.get(next), "down", 0);
        next++;
        listener.close();
    }

    private void serve(ServerSocket current) {
        while (!current.isClosed()) {
            try (Socket socket = current.accept()) {
                socket.setSoTimeout(TIMEOUT_MILLIS);
                exchange(socket);
            } catch (IOException | RuntimeException e) {
                if (!current.isClosed()) {
                    wrong.add(e.toString());
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void exchange(Socket socket) throws IOException, InterruptedException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        String[] first = line(in).split(" ");
        Map<String, String> headers = new HashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        if (next >= exchanges.size()) {
            wrong.add(String.join(" ", first) + " is one request too many");
            return;
        }
        Map<String, Object> exchange = exchanges.get(next++);
        Map<String, Object> actual = new HashMap<>();
        actual.put("method", first[0]);
        actual.put("path", first[1]);
        actual.put("body", body.length == 0 ? null : Json.read(new String(body, StandardCharsets.UTF_8)));
        check(TestData.map(exchange, "request"), actual, headers);
        if (isDown()) {
            stop();
        }
        answer(socket, TestData.map(exchange, "answer"));
    }

    private void check(Map<String, Object> expected, Map<String, Object> actual, Map<String, String> headers) {
        for (String name : List.of("method", "path", "body")) {
            if (expected.containsKey(name) && !expected.get(name).equals(actual.get(name))) {
                wrong.add("request " + next + ": " + name + " is " + actual.get(name) + ", not " + expected.get(name));
            }
        }
        TestData.map(expected, "headers").forEach((name, value) -> {
            String given = headers.get(name);
            if ("*".equals(value)) {
                idempotencyKeys.add(given);
                if (given == null || idempotencyKeys.size() > 1) {
                    wrong.add("request " + next + ": " + name + " is " + given + " of " + idempotencyKeys);
                }
            } else if (value == null ? given != null : !value.equals(given)) {
                wrong.add("request " + next + ": " + name + " is " + given + ", not " + value);
            }
        });
    }

    private void answer(Socket socket, Map<String, Object> answer) throws IOException, InterruptedException {
        OutputStream out = socket.getOutputStream();
        if (answer.containsKey("close")) {
            // Without a byte some clients repeat the request by themselves.
            out.write("HTTP/1.1 ".getBytes(StandardCharsets.US_ASCII));
            return;
        }
        Map<String, Object> headers = new HashMap<>(TestData.map(answer, "headers"));
        byte[] body = {};
        if (answer.containsKey("body")) {
            body = Json.write(answer.get("body")).replace("{base}", base()).getBytes(StandardCharsets.UTF_8);
            headers.putIfAbsent("content-type", "application/json");
        } else if (answer.containsKey("text")) {
            body = TestData.text(answer, "text").getBytes(StandardCharsets.UTF_8);
        } else if (answer.containsKey("file")) {
            body = file(TestData.text(answer, "file"));
            int from = TestData.number(answer, "from", 0);
            if (TestData.number(answer, "status", 0) == 206) {
                headers.put("content-range", "bytes " + from + "-" + (body.length - 1) + "/" + body.length);
            }
            body = java.util.Arrays.copyOfRange(body, from, body.length);
        }
        headers.put("content-length", body.length);
        headers.put("connection", "close");
        var head = new StringBuilder("HTTP/1.1 " + answer.get("status") + " So\r\n");
        headers.forEach((name, value) -> head.append(name)
                .append(": ")
                .append(value.toString().replace("{base}", base()))
                .append("\r\n"));
        int stall = TestData.number(answer, "stall", -1);
        int cut = TestData.number(answer, "cut", -1);
        synchronized (this) {
            received = 0;
        }
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        if (answer.containsKey("drip")) {
            drip(out, body);
            return;
        }
        out.write(body, 0, cut >= 0 ? cut : stall >= 0 ? stall : body.length);
        out.flush();
        if (cut >= 0) {
            // The JDK's client discards what it has and was not read, when the connection breaks.
            awaitReceived(cut);
        }
        if (stall >= 0) {
            awaitEnd(socket);
        }
    }

    private static void drip(OutputStream out, byte[] body) throws InterruptedException {
        try {
            for (byte b : body) {
                out.write(b);
                Thread.sleep(50);
            }
        } catch (IOException e) {
            // The client gave up.
        }
    }

    private synchronized void awaitReceived(int bytes) throws InterruptedException {
        long until = System.nanoTime() + TIMEOUT_MILLIS * 1_000_000L;
        while (received < bytes && System.nanoTime() < until) {
            wait(100);
        }
    }

    /** Until the client gives up. */
    private static void awaitEnd(Socket socket) {
        try {
            int end = socket.getInputStream().read();
            if (end >= 0) {
                throw new IllegalStateException("the client has sent more");
            }
        } catch (IOException e) {
            // It gave up.
        }
    }

    byte[] file(String name) {
        Map<String, Object> file = TestData.map(files, name);
        return file.containsKey("text")
                ? TestData.text(file, "text").getBytes(StandardCharsets.UTF_8)
                : Base64.getDecoder().decode(TestData.text(file, "base64"));
    }

    private static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("no request");
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.US_ASCII).strip();
    }
}
