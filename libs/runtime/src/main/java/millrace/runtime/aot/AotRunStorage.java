package millrace.runtime.aot;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Answers an S3 client as an empty bucket would. Accepts all objects and stores none. */
final class AotRunStorage implements AutoCloseable {
    private static final byte[] EMPTY_BUCKET =
            "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"/>".getBytes(StandardCharsets.UTF_8);

    private final HttpServer server;

    private AotRunStorage(HttpServer server) {
        this.server = server;
    }

    static AotRunStorage start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", AotRunStorage::answer);
        server.start();
        return new AotRunStorage(server);
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestMethod().equals("GET")) {
                exchange.getResponseHeaders().set("Content-Type", "application/xml");
                exchange.sendResponseHeaders(200, EMPTY_BUCKET.length);
                exchange.getResponseBody().write(EMPTY_BUCKET);
            } else {
                exchange.getResponseHeaders().set("ETag", "\"0\"");
                exchange.sendResponseHeaders(200, -1);
            }
        }
    }
}
