package millrace.gateway.server.netty;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.ApplicationContextBuilder;
import io.micronaut.http.server.exceptions.ServerStartupException;
import io.micronaut.runtime.graceful.GracefulShutdownCapable;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.BindException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import millrace.gateway.settings.ConnectionSettings;
import millrace.gateway.settings.GatewaySettings;
import millrace.gateway.settings.TlsSettings;
import millrace.runtime.settings.SettingsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP server with the routes and filters of one application context. TLS and the limits of
 * connections are the same for all servers.
 */
public final class ApiServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    /** How long close() waits for requests in progress. */
    private static final Duration LAST_CALLS = Duration.ofSeconds(4);

    private final ApplicationContext context;
    private final EmbeddedServer server;

    private ApiServer(ApplicationContext context, EmbeddedServer server) {
        this.context = context;
        this.server = server;
    }

    /**
     * The builder of a context whose server listens at the address. The context reads no files,
     * environment or system properties.
     *
     * @param port 0 for any free port
     */
    public static ApplicationContextBuilder context(String host, int port, GatewaySettings settings) {
        Map<String, Object> p = new HashMap<>();
        p.put("micronaut.server.host", host);
        p.put("micronaut.server.port", port == 0 ? -1 : port);
        // RequestBodyReader bounds bodies while it streams them; Micronaut's limit would cut the connection.
        p.put("micronaut.server.max-request-size", Long.MAX_VALUE);
        // RequestBodyReader decompresses bodies within that bound, after the key has been checked.
        p.put("micronaut.server.netty.request-decompression-enabled", false);
        p.put("micronaut.server.dispatch-options-requests", false);
        // GatewayMetrics measures requests; Micronaut's meters of several Kafka clients collide in one registry.
        p.put("micronaut.metrics.enabled", false);
        connection(settings.connection(), p);
        tls(settings.tls(), port, p);
        return ApplicationContext.builder()
                .banner(false)
                .deduceEnvironment(false)
                .enableDefaultPropertySources(false)
                .environmentPropertySource(false)
                .bootstrapEnvironment(false)
                .properties(p);
    }

    private static void connection(ConnectionSettings settings, Map<String, Object> p) {
        p.put("micronaut.server.netty.max-header-size", settings.maxHeaderBytes());
        p.put("micronaut.server.netty.max-initial-line-length", settings.maxHeaderBytes());
        p.put("micronaut.server.idle-timeout", settings.idle().toMillis() + "ms");
        p.put("micronaut.server.read-idle-timeout", settings.idle().toMillis() + "ms");
        p.put("micronaut.server.write-idle-timeout", settings.idle().toMillis() + "ms");
    }

    private static void tls(TlsSettings tls, int port, Map<String, Object> p) {
        if (tls.keyStore() != null) {
            p.put("micronaut.server.ssl.enabled", true);
            p.put("micronaut.server.ssl.port", port == 0 ? -1 : port);
            p.put("micronaut.server.ssl.key-name", KeyStoreFile.NAME);
            p.put("micronaut.server.ssl.key-store.password", String.valueOf(tls.password()));
            p.put("micronaut.server.ssl.protocols", List.of("TLSv1.3", "TLSv1.2"));
        }
    }

    /**
     * Starts the server, which listens when this returns.
     *
     * @param port the setting and its value, for the message
     * @throws SettingsException where the port is taken or the key cannot be used; its message is one line
     */
    public static ApiServer start(ApplicationContext context, String port) {
        try {
            return new ApiServer(context, context.getBean(EmbeddedServer.class).start());
        } catch (RuntimeException e) {
            context.close();
            Throwable root = root(e);
            if (root instanceof SettingsException) {
                throw new SettingsException(String.valueOf(root.getMessage()));
            }
            throw e instanceof ServerStartupException ? new SettingsException(port + sentence(root)) : e;
        }
    }

    private static String sentence(Throwable cause) {
        return cause instanceof BindException ? " is taken: " + cause.getMessage() : " cannot be listened on: " + cause;
    }

    private static Throwable root(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /** The server's address, {@code http://127.0.0.1:port} or {@code https}. */
    public URI address() {
        return URI.create(server.getScheme() + "://" + server.getHost() + ":" + server.getPort());
    }

    /** Waits up to 4 s for requests in progress, stops listening, then closes the context. */
    @Override
    public void close() {
        if (server instanceof GracefulShutdownCapable graceful) {
            try {
                graceful.shutdownGracefully().toCompletableFuture().get(LAST_CALLS.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException e) {
                LOG.warn("stopping with requests in progress waitedSeconds={}", LAST_CALLS.toSeconds());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        server.stop();
        context.close();
    }
}
