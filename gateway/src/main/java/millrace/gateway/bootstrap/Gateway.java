package millrace.gateway.bootstrap;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.graceful.GracefulShutdownCapable;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.BindException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import millrace.contracts.topics.Topic;
import millrace.gateway.accounts.AccountsFileImport;
import millrace.gateway.accounts.MonthlyGrants;
import millrace.gateway.admin.AdminAccounts;
import millrace.gateway.admin.AdminServer;
import millrace.gateway.commands.CommandLog;
import millrace.gateway.downloads.DownloadLinks;
import millrace.gateway.health.GatewayHealth;
import millrace.gateway.health.GatewayReadiness;
import millrace.gateway.health.TopicReaders;
import millrace.gateway.openapi.ExampleQueries;
import millrace.gateway.readmodel.ModelReader;
import millrace.gateway.readmodel.ReadModel;
import millrace.gateway.settings.ConnectionSettings;
import millrace.gateway.settings.GatewaySettings;
import millrace.gateway.settings.TlsSettings;
import millrace.gateway.webhooks.index.DeliveryReader;
import millrace.runtime.accounts.AccountsReader;
import millrace.runtime.kafka.ConsumerLagGauge;
import millrace.runtime.management.Health;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The REST service, running. */
public final class Gateway implements AutoCloseable {
    /** Version of the page to try the API, as in the pom. */
    private static final String SWAGGER_UI = "5.34.1";

    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    /** For calls that are under way when it stops. */
    private static final Duration LAST_CALLS = Duration.ofSeconds(4);

    /** Of answers, to scripts of other origins. */
    private static final List<String> EXPOSED_HEADERS =
            List.of("Location", "Retry-After", "Idempotent-Replayed", "ETag", "Content-Disposition");

    private final ApplicationContext context;
    private final EmbeddedServer server;
    private final List<Thread> threads;
    private final @Nullable AdminServer admin;

    private Gateway(
            ApplicationContext context, EmbeddedServer server, List<Thread> threads, @Nullable AdminServer admin) {
        this.context = context;
        this.server = server;
        this.threads = threads;
        this.admin = admin;
    }

    /** As the longer one; the topics exist, or will soon be made. */
    public static Gateway start(
            GatewaySettings settings, KafkaSettings kafka, GatewayDependencies parts, MeterRegistry registry) {
        return start(settings, kafka, parts, registry, () -> {});
    }

    /**
     * Serves from its return on; requests with a key are answered once Kafka has been read, 503 until then.
     *
     * @param registry gets the measurements
     * @param topics returns when they exist; asked when everything is ready that can be without
     * @throws SettingsException in one line, where the port is taken
     */
    public static Gateway start(
            GatewaySettings settings,
            KafkaSettings kafka,
            GatewayDependencies parts,
            MeterRegistry registry,
            Runnable topics) {
        ApplicationContext context = ApplicationContext.builder()
                .banner(false)
                .deduceEnvironment(false)
                .enableDefaultPropertySources(false)
                .environmentPropertySource(false)
                .bootstrapEnvironment(false)
                .properties(configuration(settings, kafka))
                .singletons(settings, kafka, parts, registry)
                .start();
        try {
            topics.run();
            Gateway gateway = start(context, settings);
            measure(context, registry);
            return gateway;
        } catch (RuntimeException e) {
            context.close();
            if (root(e) instanceof BindException) {
                throw new SettingsException("gateway.port " + settings.port() + " of " + settings.host() + " is taken: "
                        + root(e).getMessage());
            }
            throw e;
        }
    }

    private static Gateway start(ApplicationContext context, GatewaySettings settings) {
        context.getBean(AccountsReader.class).start();
        context.getBean(ModelReader.class).start();
        context.getBean(DeliveryReader.class).start();
        context.getBean(ExampleQueries.class).start();
        context.getBean(GatewayReadiness.class).start();
        EmbeddedServer server = context.getBean(EmbeddedServer.class).start();
        if (settings.publicAddress() == null) {
            context.getBean(DownloadLinks.class).servedAt(address(server));
        }
        AdminServer admin = AdminServer.start(settings, context.getBean(AdminAccounts.class))
                .orElse(null);
        Thread file = Thread.ofVirtual().name("accounts-file").start(context.getBean(AccountsFileImport.class));
        Thread months = Thread.ofVirtual().name("monthly-grants").start(context.getBean(MonthlyGrants.class));
        return new Gateway(context, server, List.of(file, months), admin);
    }

    private static void measure(ApplicationContext context, MeterRegistry registry) {
        ReadModel model = context.getBean(ReadModel.class);
        Gauge.builder("millrace.reports.open", model, ReadModel::open)
                .description("Reports of all accounts that have not ended")
                .register(registry);
        Gauge.builder("millrace.reports.known", model, ReadModel::size)
                .description("Reports in this gateway's memory")
                .register(registry);
        ConsumerLagGauge.register(registry, "read-model", "", context.getBean(ModelReader.class)::measured);
        ConsumerLagGauge.register(registry, "deliveries", "", context.getBean(DeliveryReader.class)::measured);
    }

    public Health health() {
        return new GatewayHealth(context.getBean(GatewayReadiness.class), context.getBean(TopicReaders.class));
    }

    /** Where it listens: {@code http://127.0.0.1:port}. */
    public URI address() {
        return address(server);
    }

    /** Of the admin API; empty where there is none. */
    public Optional<URI> adminAddress() {
        return Optional.ofNullable(admin).map(AdminServer::address);
    }

    /** Whether requests can be served; as readiness says. */
    public boolean ready() {
        return context.getBean(GatewayReadiness.class).ready();
    }

    /** Is not ready any more, lets the calls end that are under way, stops listening, then lets go of Kafka. */
    @Override
    public void close() {
        health().leave();
        threads.forEach(Thread::interrupt);
        if (admin != null) {
            admin.close();
        }
        letCallsEnd();
        server.stop();
        context.close();
    }

    private void letCallsEnd() {
        if (server instanceof GracefulShutdownCapable graceful) {
            try {
                graceful.shutdownGracefully().toCompletableFuture().get(LAST_CALLS.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException e) {
                LOG.warn("calls were still under way after {} s", LAST_CALLS.toSeconds());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static URI address(EmbeddedServer server) {
        return URI.create(server.getScheme() + "://" + server.getHost() + ":" + server.getPort());
    }

    private static Throwable root(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private static Map<String, Object> configuration(GatewaySettings settings, KafkaSettings kafka) {
        Map<String, Object> p = new HashMap<>();
        p.put("micronaut.application.name", "millrace-gateway");
        p.put("micronaut.server.host", settings.host());
        p.put("micronaut.server.port", settings.port() == 0 ? -1 : settings.port());
        // Bodies are streams that we bound ourselves; the framework's limit would cut the connection.
        p.put("micronaut.server.max-request-size", Long.MAX_VALUE);
        // They are unpacked by us, within that bound, once the key has been checked.
        p.put("micronaut.server.netty.request-decompression-enabled", false);
        p.put("micronaut.server.dispatch-options-requests", false);
        // We measure ourselves; the framework's names for its Kafka clients do not go together in one registry.
        p.put("micronaut.metrics.enabled", false);
        connection(settings.connection(), p);
        tls(settings, p);
        origins(settings.allowedOrigins(), p);
        p.put("micronaut.router.static-resources.swagger-ui.mapping", "/docs/ui/**");
        p.put(
                "micronaut.router.static-resources.swagger-ui.paths",
                "classpath:META-INF/resources/webjars/swagger-ui/" + SWAGGER_UI);
        p.put("kafka.health.enabled", false);
        producer(settings.acknowledgeWithin(), kafka)
                .forEach((key, value) -> p.put("kafka.producers." + CommandLog.PRODUCER + "." + key, value));
        return p;
    }

    private static void connection(ConnectionSettings settings, Map<String, Object> p) {
        p.put("micronaut.server.netty.max-header-size", settings.maxHeaderBytes());
        p.put("micronaut.server.netty.max-initial-line-length", settings.maxHeaderBytes());
        p.put("micronaut.server.idle-timeout", settings.idle().toMillis() + "ms");
        p.put("micronaut.server.read-idle-timeout", settings.idle().toMillis() + "ms");
        p.put("micronaut.server.write-idle-timeout", settings.idle().toMillis() + "ms");
    }

    /** Without any, the framework still refuses pages from elsewhere that ask a gateway on their reader's own machine. */
    private static void origins(List<String> allowed, Map<String, Object> p) {
        if (!allowed.isEmpty()) {
            p.put("micronaut.server.cors.enabled", true);
            p.put("micronaut.server.cors.configurations.web.allowed-origins", allowed);
            p.put("micronaut.server.cors.configurations.web.allow-credentials", false);
            p.put("micronaut.server.cors.configurations.web.exposed-headers", EXPOSED_HEADERS);
        }
    }

    private static void tls(GatewaySettings settings, Map<String, Object> p) {
        TlsSettings tls = settings.tls();
        if (tls.keyStore() != null) {
            p.put("micronaut.server.ssl.enabled", true);
            p.put("micronaut.server.ssl.port", settings.port() == 0 ? -1 : settings.port());
            p.put(
                    "micronaut.server.ssl.key-store.path",
                    "file:" + tls.keyStore().toAbsolutePath());
            p.put("micronaut.server.ssl.key-store.type", "PKCS12");
            p.put("micronaut.server.ssl.key-store.password", String.valueOf(tls.password()));
            p.put("micronaut.server.ssl.protocols", List.of("TLSv1.3", "TLSv1.2"));
        }
    }

    static Map<String, Object> producer(Duration acknowledgeWithin, KafkaSettings kafka) {
        int timeout = Math.toIntExact(acknowledgeWithin.toMillis());
        Map<String, Object> p = kafka.producerConfig("commands");
        p.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        p.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topic.MAX_MESSAGE_BYTES);
        p.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeout);
        p.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeout);
        p.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(1, timeout / 2));
        p.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
        return p;
    }
}
