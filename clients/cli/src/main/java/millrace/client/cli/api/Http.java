package millrace.client.cli.api;

import io.millrace.client.Transport;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLConnection;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.runtime.cli.CaCertificates;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.EnvironmentProxies;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests with the JDK's older client, which starts in a fourth of the newer one's time and also limits each
 * read of a body.
 */
public final class Http implements Transport {
    static {
        // The client library repeats a POST if that is safe; the JDK must not do so too. It reads this when the first
        // connection is made.
        System.setProperty("sun.net.http.retryPost", "false");
    }

    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final String userAgent;
    private final @Nullable SSLSocketFactory sockets;
    private final EnvironmentProxies proxies;

    /** @param caFile certificates to trust (PEM); null: those that Java trusts */
    public Http(String userAgent, @Nullable String caFile, EnvironmentProxies proxies) throws CliException {
        this.userAgent = userAgent;
        this.proxies = proxies;
        this.sockets = caFile == null ? null : trusting(Path.of(caFile));
    }

    public Response get(String address, Duration timeout) throws IOException {
        return send(new Request("GET", URI.create(address), Map.of(), new byte[0], timeout));
    }

    @Override
    public Response send(Request request) throws IOException {
        Optional<EnvironmentProxies.Named> proxy = proxies.proxy(request.uri());
        try {
            Response response = send(proxy, request);
            if (response.status() == HttpURLConnection.HTTP_PROXY_AUTH && proxy.isPresent()) {
                response.close();
                throw new IOException("it wants another name and password");
            }
            return response;
        } catch (IOException e) {
            throw proxy.isPresent() ? byWayOf(proxy.get(), e) : e;
        }
    }

    private static IOException byWayOf(EnvironmentProxies.Named proxy, IOException e) {
        String failure = Failures.reason(e) + ", by way of " + proxy;
        boolean notSent = e instanceof ConnectException
                || e instanceof UnknownHostException
                || String.valueOf(e.getMessage()).startsWith("Unable to tunnel");
        return notSent ? new ConnectException(failure) : new IOException(failure, e);
    }

    private Response send(Optional<EnvironmentProxies.Named> proxy, Request request) throws IOException {
        URLConnection opened = proxy.isPresent()
                ? request.uri().toURL().openConnection(proxy.get().proxy())
                : request.uri().toURL().openConnection();
        HttpURLConnection connection = (HttpURLConnection) opened;
        proxy.ifPresent(named -> connection.setAuthenticator(named.authenticator()));
        if (sockets != null && connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(sockets);
        }
        connection.setRequestMethod(request.method());
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setConnectTimeout(Math.toIntExact(CONNECT.toMillis()));
        connection.setReadTimeout(Math.toIntExact(request.timeout().toMillis()));
        connection.setRequestProperty("User-Agent", userAgent);
        connection.setRequestProperty("Accept", "*/*");
        boolean post = request.method().equals("POST");
        if (post) { // even without a body the JDK would say that it is a form
            connection.setRequestProperty("Content-Type", "application/json");
        }
        request.headers().forEach(connection::setRequestProperty);
        if (post) {
            connection.setDoOutput(true);
            try (var out = connection.getOutputStream()) {
                out.write(request.body());
            }
        }
        int status = connection.getResponseCode();
        if (status < 0) {
            throw new IOException("the answer is not HTTP");
        }
        InputStream in =
                status < HttpURLConnection.HTTP_BAD_REQUEST ? connection.getInputStream() : connection.getErrorStream();
        return new Response(
                status,
                connection::getHeaderField,
                new WholeBody(connection, request.method(), in == null ? InputStream.nullInputStream() : in));
    }

    /**
     * Fails if a body ends before its announced length, which the JDK takes for its end. Closing it ends the connection
     * if the body was not read.
     */
    private static final class WholeBody extends FilterInputStream {
        private final HttpURLConnection connection;
        private final long length;
        private long read;

        WholeBody(HttpURLConnection connection, String method, InputStream in) {
            super(in);
            this.connection = connection;
            this.length = method.equals("HEAD") ? -1 : connection.getContentLengthLong();
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int most) throws IOException {
            int n = super.read(bytes, offset, most);
            if (n < 0 && read < length) {
                throw new EOFException("the connection ended after " + read + " of " + length + " bytes");
            }
            read += Math.max(0, n);
            return n;
        }

        @Override
        public void close() {
            connection.disconnect();
        }
    }

    /** Trusts the certificates of a PEM file, and no others. */
    private static SSLSocketFactory trusting(Path certificates) throws CliException {
        try {
            return CaCertificates.context(certificates).getSocketFactory();
        } catch (IOException e) {
            throw new CliException(
                    ExitCodes.USAGE, "the certificates of --ca-file cannot be read: " + Failures.reason(e));
        } catch (GeneralSecurityException e) {
            throw new CliException(ExitCodes.USAGE, "the certificates of --ca-file cannot be used: " + e.getMessage());
        }
    }
}
