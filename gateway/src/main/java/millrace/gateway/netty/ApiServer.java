package millrace.gateway.netty;

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

/** A port, and the routes and filters of the one context that answers there. TLS and the limits of connections are the same for all. */
public final class ApiServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    /** For calls that are under way when it stops. */
    private static final Duration LAST_CALLS = Duration.ofSeconds(4);

    private final ApplicationContext context;
    private final EmbeddedServer server;

    private ApiServer(ApplicationContext context, EmbeddedServer server) {
        this.context = context;
        this.server = server;
    }

    /**
     * A context that takes nothing from its surroundings, whose server will listen there.
     *
     * @param port 0 for any that is free
     */
    public static ApplicationContextBuilder context(String host, int port, GatewaySettings settings) {
        Map<String, Object> p = new HashMap<>();
        p.put("micronaut.server.host", host);
        p.put("micronaut.server.port", port == 0 ? -1 : port);
        // Bodies are streams that we bound ourselves; the framework's limit would cut the connection.
        p.put("micronaut.server.max-request-size", Long.MAX_VALUE);
        // They are unpacked by us, within that bound, once the key has been checked.
        p.put("micronaut.server.netty.request-decompression-enabled", false);
        p.put("micronaut.server.dispatch-options-requests", false);
        // We measure ourselves; the framework's names for its Kafka clients do not go together in one registry.
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
            p.put(
                    "micronaut.server.ssl.key-store.path",
                    "file:" + tls.keyStore().toAbsolutePath());
            p.put("micronaut.server.ssl.key-store.type", "PKCS12");
            p.put("micronaut.server.ssl.key-store.password", String.valueOf(tls.password()));
            p.put("micronaut.server.ssl.protocols", List.of("TLSv1.3", "TLSv1.2"));
        }
    }

    /**
     * Listens from its return on.
     *
     * @param port the setting and its value, for the message
     * @throws SettingsException in one line, where the port is taken
     */
    public static ApiServer start(ApplicationContext context, String port) {
        try {
            return new ApiServer(context, context.getBean(EmbeddedServer.class).start());
        } catch (RuntimeException e) {
            context.close();
            throw e instanceof ServerStartupException ? new SettingsException(port + sentence(root(e))) : e;
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

    /** Where it listens: {@code http://127.0.0.1:port}, or {@code https}. */
    public URI address() {
        return URI.create(server.getScheme() + "://" + server.getHost() + ":" + server.getPort());
    }

    /** Lets the calls end that are under way, stops listening, then closes the context. */
    @Override
    public void close() {
        if (server instanceof GracefulShutdownCapable graceful) {
            try {
                graceful.shutdownGracefully().toCompletableFuture().get(LAST_CALLS.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException e) {
                LOG.warn("calls were still under way after {} s", LAST_CALLS.toSeconds());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        server.stop();
        context.close();
    }
}
