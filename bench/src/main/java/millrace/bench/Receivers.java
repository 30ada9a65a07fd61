package millrace.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Scanner;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Receivers of webhooks in a process of their own: take everything, and measure how late it is where the path says when it was due. */
final class Receivers {
    static final String SAYS = "receivers are at ";
    private static final int MAX_LATE_MILLIS = 60_000;
    private static final AtomicLong REQUESTS = new AtomicLong();
    private static final AtomicLongArray LATE = new AtomicLongArray(MAX_LATE_MILLIS + 1);

    private Receivers() {}

    /**
     * @param lateP50 milliseconds, of requests whose path says when they were due
     * @param lateP99 the same
     * @param lateMax the same, at most a minute
     */
    record Count(long requests, long lateP50, long lateP99, long lateMax) {
        static Count parse(String line) {
            try (var words = new Scanner(line)) {
                words.next();
                return new Count(words.nextLong(), words.nextLong(), words.nextLong(), words.nextLong());
            }
        }
    }

    static String address(String line) {
        return line.substring(line.indexOf(SAYS) + SAYS.length());
    }

    @SuppressWarnings("SystemOut") // the parent reads it
    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 1000);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", Receivers::take);
        server.start();
        System.out.println(SAYS + "http://127.0.0.1:" + server.getAddress().getPort());
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            System.out.println(
                    String.format(Locale.ROOT, "count %d %d %d %d", REQUESTS.get(), late(0.5), late(0.99), late(1)));
        }
        server.stop(0);
    }

    private static void take(HttpExchange exchange) throws IOException {
        long now = System.currentTimeMillis();
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            if (path.startsWith("/due/")) {
                long late = now - Long.parseLong(path.substring("/due/".length()));
                LATE.incrementAndGet(Math.clamp(late, 0, MAX_LATE_MILLIS));
            }
            REQUESTS.incrementAndGet();
            exchange.sendResponseHeaders(204, -1);
        }
    }

    private static long late(double quantile) {
        long total = 0;
        for (int i = 0; i <= MAX_LATE_MILLIS; i++) {
            total += LATE.get(i);
        }
        long seen = 0;
        for (int i = 0; i <= MAX_LATE_MILLIS; i++) {
            seen += LATE.get(i);
            if (seen > 0 && seen >= Math.ceil(quantile * total)) {
                return i;
            }
        }
        return 0;
    }
}
