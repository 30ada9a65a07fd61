package millrace.client.cli.api;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.client.cli.session.ProxyFailure;
import millrace.runtime.cli.CaCertificates;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.EnvironmentProxies;
import org.jspecify.annotations.Nullable;

/**
 * One exchange after the other, each once, without following redirects. It uses the JDK's older
 * client, which needs a fourth of the newer one's start and also limits the time in which a body has
 * to go on.
 */
public final class Http {
    static {
        // A POST is repeated by us, where that is safe, and not behind our back. Read when the first connection is
        // made.
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

    /** An answer whose body is not read yet. Closing it ends the connection where the body was not read. */
    public record Response(int status, HttpURLConnection connection, InputStream body) implements AutoCloseable {
        public @Nullable String header(String name) {
            return connection.getHeaderField(name);
        }

        @Override
        public void close() {
            connection.disconnect();
        }
    }

    /**
     * @param silence the longest time without a byte, before the answer and within it
     * @param body null: none
     */
    public Response send(String method, URI uri, Map<String, String> headers, byte @Nullable [] body, Duration silence)
            throws IOException {
        Optional<EnvironmentProxies.Named> proxy = proxies.proxy(uri);
        try {
            Response response = send(proxy, method, uri, headers, body, silence);
            if (response.status() == HttpURLConnection.HTTP_PROXY_AUTH && proxy.isPresent()) {
                response.close();
                throw new IOException("it wants another name and password");
            }
            return response;
        } catch (IOException e) {
            throw proxy.isPresent() ? new ProxyFailure(proxy.get(), e) : e;
        }
    }

    private Response send(
            Optional<EnvironmentProxies.Named> proxy,
            String method,
            URI uri,
            Map<String, String> headers,
            byte @Nullable [] body,
            Duration silence)
            throws IOException {
        URLConnection opened = proxy.isPresent()
                ? uri.toURL().openConnection(proxy.get().proxy())
                : uri.toURL().openConnection();
        HttpURLConnection connection = (HttpURLConnection) opened;
        proxy.ifPresent(named -> connection.setAuthenticator(named.authenticator()));
        if (sockets != null && connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(sockets);
        }
        connection.setRequestMethod(method);
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setConnectTimeout(Math.toIntExact(CONNECT.toMillis()));
        connection.setReadTimeout(Math.toIntExact(silence.toMillis()));
        connection.setRequestProperty("User-Agent", userAgent);
        connection.setRequestProperty("Accept", "*/*");
        headers.forEach(connection::setRequestProperty);
        if (body != null) {
            connection.setDoOutput(true);
            try (var out = connection.getOutputStream()) {
                out.write(body);
            }
        }
        int status = connection.getResponseCode();
        if (status < 0) {
            throw new IOException("the answer is not HTTP");
        }
        InputStream in =
                status < HttpURLConnection.HTTP_BAD_REQUEST ? connection.getInputStream() : connection.getErrorStream();
        long length = method.equals("HEAD") ? -1 : connection.getContentLengthLong();
        return new Response(status, connection, new WholeBody(in == null ? InputStream.nullInputStream() : in, length));
    }

    /** Fails where a body ends before its announced length: the JDK takes that for its end. */
    private static final class WholeBody extends FilterInputStream {
        private final long length;
        private long read;

        /** @param length -1 where it is not announced */
        WholeBody(InputStream in, long length) {
            super(in);
            this.length = length;
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
