package millrace.standalone;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.Executors;

/**
 * A webhook receiver for tests and demonstrations. It answers 200 to every POST and prints a line
 * for each: time, the headers webhook-id, webhook-timestamp and webhook-signature in square
 * brackets, and the signed body. What it cannot print it refuses with 500, so that it comes again.
 * Arguments: address and port.
 */
public final class ReceiverMain {
    private static final int NO_BODY = -1;

    private ReceiverMain() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            System.err.println("usage: ReceiverMain <address> <port>");
            System.exit(2);
        }
        var address = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        HttpServer server = HttpServer.create(address, 0);
        server.createContext("/", ReceiverMain::receive);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        System.out.println("receiving webhooks on " + server.getAddress());
    }

    private static void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Headers headers = exchange.getRequestHeaders();
            System.out.println(Instant.now() + " " + headers.getFirst("webhook-id") + " "
                    + headers.getFirst("webhook-timestamp") + " [" + headers.getFirst("webhook-signature") + "] "
                    + body);
            exchange.sendResponseHeaders(System.out.checkError() ? 500 : 200, NO_BODY);
        }
    }
}
