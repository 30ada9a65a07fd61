package io.millrace.client;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Sends HTTP requests, each once. It follows no redirect: the key would go along. Threads may share it. */
@FunctionalInterface
public interface Transport {
    /**
     * @throws IOException if there is no answer; a {@link java.net.ConnectException} or a
     *     {@link java.net.UnknownHostException} says that the request was certainly not sent
     */
    Response send(Request request) throws IOException, InterruptedException;

    /** The JDK's client with settings of your own: proxy, authenticator, certificates, executor. */
    static Transport of(HttpClient.Builder settings) {
        return new JdkTransport(
                settings.followRedirects(HttpClient.Redirect.NEVER).build());
    }

    /**
     * A request.
     *
     * @param headers by their names in lower case
     * @param body empty if there is none
     * @param timeout until the answer begins, and again for each read of its body
     */
    record Request(String method, URI uri, Map<String, String> headers, byte[] body, Duration timeout) {}

    /**
     * An answer whose body is not read yet; reading it fails when the connection breaks before its end.
     *
     * @param headers gives a header by its name in any case, or null
     */
    record Response(int status, UnaryOperator<String> headers, InputStream body) implements Closeable {
        @Override
        public void close() throws IOException {
            body.close();
        }
    }
}
