package millrace.gateway.bootstrap;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.ApplicationContext;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.topics.Topic;
import millrace.gateway.access.KeyUseLog;
import millrace.gateway.access.PassedRequestLog;
import millrace.gateway.accounts.AccountsFileImport;
import millrace.gateway.accounts.MonthlyGrants;
import millrace.gateway.admin.AdminServer;
import millrace.gateway.admission.CommandLog;
import millrace.gateway.admission.CompletionRate;
import millrace.gateway.api.datasets.PublishedDatasets;
import millrace.gateway.api.events.EventFeeds;
import millrace.gateway.api.status.DownloadLinks;
import millrace.gateway.api.status.StatusWaits;
import millrace.gateway.console.ConsoleFiles;
import millrace.gateway.copy.activity.ActivityReader;
import millrace.gateway.copy.activity.ActivityStore;
import millrace.gateway.copy.deliveries.DeliveryIndex;
import millrace.gateway.copy.deliveries.DeliveryReader;
import millrace.gateway.copy.reports.ModelReader;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.health.GatewayHealth;
import millrace.gateway.health.ProcessStates;
import millrace.gateway.server.LimitHeaders;
import millrace.gateway.server.netty.ApiServer;
import millrace.gateway.settings.GatewaySettings;
import millrace.gateway.statements.StatementLog;
import millrace.runtime.accounts.AccountsReader;
import millrace.runtime.kafka.ConsumerLagGauge;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.management.Health;
import millrace.runtime.service.BackgroundPriority;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/**
 * The running gateway: the Micronaut server, the readers of the topics, and the admin API where it
 * is configured.
 */
public final class Gateway implements AutoCloseable {
    /** Of answers, to scripts of other origins. */
    private static final List<String> EXPOSED_HEADERS = List.of(
            "X-Request-Id",
            "Location",
            "Retry-After",
            LimitHeaders.POLICY,
            LimitHeaders.LEFT,
            "Idempotent-Replayed",
            "ETag",
            "Content-Disposition",
            "Content-Range");

    private final ApplicationContext context;
    private final ApiServer server;
    private final List<Thread> threads;
    private final @Nullable ApiServer admin;
    private final Stores stores;

    private Gateway(
            ApplicationContext context,
            ApiServer server,
            List<Thread> threads,
            @Nullable ApiServer admin,
            Stores stores) {
        this.context = context;
        this.server = server;
        this.threads = threads;
        this.admin = admin;
        this.stores = stores;
    }

    /** What the gateway keeps on its disk. It is closed when nobody asks any more. */
    private record Stores(ReadModel model, ActivityStore activity, DeliveryIndex deliveries) implements AutoCloseable {
        static Stores open(GatewaySettings settings, InstantSource clock) {
            ReadModel model = ReadModel.in(
                    settings.readModel().directory(), settings.readModel().cacheBytes());
            try {
                ActivityStore activity = ActivityStore.in(settings.activity().directory(), clock);
                try {
                    Path folder = settings.deliveries().directory();
                    return new Stores(model, activity, DeliveryIndex.in(folder, settings.deliveriesKept(), clock));
                } catch (RuntimeException e) {
                    activity.close();
                    throw e;
                }
            } catch (RuntimeException e) {
                model.close();
                throw e;
            }
        }

        @Override
        public void close() {
            deliveries.close();
            activity.close();
            model.close();
        }
    }

    /**
     * The server listens when this returns. It answers requests that carry a key with 503 until the
     * topics have been read.
     *
     * @param registry for the gateway's metrics
     * @param topics blocks until the topics exist; called when the application context has started
     * @throws SettingsException where the port is taken, or the folder of a store or the console's
     *     logo cannot be used; its message is one line
     */
    public static Gateway start(
            GatewaySettings settings,
            KafkaSettings kafka,
            GatewayDependencies dependencies,
            MeterRegistry registry,
            Runnable topics) {
        Stores stores = Stores.open(settings, dependencies.clock());
        try {
            ApplicationContext context = ApiServer.context(settings.host(), settings.port(), settings)
                    .properties(configuration(settings, kafka))
                    .singletons(
                            settings,
                            kafka,
                            dependencies,
                            dependencies.accounts(),
                            dependencies.encryption(),
                            dependencies.catalog(),
                            dependencies.store(),
                            dependencies.quotes(),
                            dependencies.signer(),
                            registry,
                            stores.model(),
                            stores.activity(),
                            stores.deliveries(),
                            ConsoleFiles.load(settings.console(), ConsoleFiles.Audience.CLIENTS))
                    .start();
            try {
                topics.run();
                Gateway gateway = start(context, settings, stores);
                measure(context, registry);
                return gateway;
            } catch (RuntimeException e) {
                context.close();
                throw e;
            }
        } catch (RuntimeException e) {
            stores.close();
            throw e;
        }
    }

    private static Gateway start(ApplicationContext context, GatewaySettings settings, Stores stores) {
        readSmallTopics(context);
        // A gateway is ready without its activity store, and sooner where that is not built at the same time.
        context.getBean(ModelReader.class).start(context.getBean(ActivityReader.class)::start);
        context.getBean(DeliveryReader.class).start();
        ApiServer server = ApiServer.start(context, "gateway.port " + settings.port() + " of " + settings.host());
        if (settings.publicAddress() == null) {
            context.getBean(DownloadLinks.class).servedAt(server.address());
        }
        ApiServer admin = AdminServer.start(settings, context).orElse(null);
        Thread file = Thread.ofVirtual().name("accounts-file").start(context.getBean(AccountsFileImport.class));
        Thread months = Thread.ofVirtual().name("monthly-grants").start(context.getBean(MonthlyGrants.class));
        Thread uses = Thread.ofVirtual().name("key-uses").start(context.getBean(KeyUseLog.class));
        Thread passed = Thread.ofVirtual().name("passed-requests").start(context.getBean(PassedRequestLog.class));
        // A platform thread: a large account's statement computes for seconds.
        Thread statements = BackgroundPriority.of(
                        Thread.ofPlatform().daemon().name("statements").factory())
                .newThread(context.getBean(StatementLog.class));
        statements.start();
        CompletionRate completionRate = context.getBean(CompletionRate.class);
        ReadModel model = stores.model();
        Thread rate = Thread.ofVirtual().name("completion-rate").start(() -> completionRate.follow(model::ended));
        return new Gateway(context, server, List.of(file, months, uses, passed, statements, rate), admin, stores);
    }

    private static void readSmallTopics(ApplicationContext context) {
        List.of(
                        AccountsReader.class,
                        PublishedDatasets.class,
                        KeyUseLog.class,
                        PassedRequestLog.class,
                        ProcessStates.class)
                .forEach(context::getBean); // each adds its topic
        context.getBean(TopicTailer.class).start();
    }

    private static void measure(ApplicationContext context, MeterRegistry registry) {
        ReadModel model = context.getBean(ReadModel.class);
        Gauge.builder("millrace.reports.open", model, ReadModel::open)
                .description("Reports of all accounts that have not ended")
                .register(registry);
        Gauge.builder("millrace.reports.known", model, ReadModel::size)
                .description("Reports that this gateway knows")
                .register(registry);
        Gauge.builder("millrace.read.model.bytes", model, ReadModel::bytes)
                .description("Files of the gateway's read model")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("millrace.feeds.open", context.getBean(EventFeeds.class), EventFeeds::size)
                .description("Feeds of events that clients have open")
                .register(registry);
        ConsumerLagGauge.register(registry, "read-model", "", context.getBean(ModelReader.class)::measured);
        ConsumerLagGauge.register(registry, "deliveries", "", context.getBean(DeliveryReader.class)::measured);
        ConsumerLagGauge.register(registry, "activity", "", context.getBean(ActivityReader.class)::measured);
        Gauge.builder("millrace.activity.store.bytes", context.getBean(ActivityStore.class), ActivityStore::bytes)
                .description("Files of the gateway's activity store")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("millrace.deliveries.bytes", context.getBean(DeliveryIndex.class), DeliveryIndex::bytes)
                .description("Files of the webhook deliveries that the gateway can list")
                .baseUnit("bytes")
                .register(registry);
    }

    public Health health() {
        return context.getBean(GatewayHealth.class);
    }

    /** The public API's address, {@code http://127.0.0.1:port}. */
    public URI address() {
        return server.address();
    }

    /** The admin API's address; empty where there is none. */
    public Optional<URI> adminAddress() {
        return Optional.ofNullable(admin).map(ApiServer::address);
    }

    /** Whether the gateway can serve requests, as its readiness endpoint says. */
    public boolean ready() {
        return health().ready();
    }

    /**
     * Reports not ready, ends the feeds and what waits for a change, waits up to 4 s for requests in progress, stops listening, then closes its
     * Kafka clients.
     */
    @Override
    public void close() {
        health().leave();
        threads.forEach(Thread::interrupt);
        context.getBean(EventFeeds.class).close();
        context.getBean(StatusWaits.class).close();
        if (admin != null) {
            admin.close();
        }
        server.close();
        stores.close();
    }

    private static Map<String, Object> configuration(GatewaySettings settings, KafkaSettings kafka) {
        Map<String, Object> p = new HashMap<>();
        p.put("micronaut.application.name", "millrace-gateway");
        origins(settings.allowedOrigins(), p);
        p.put("kafka.health.enabled", false);
        producer(settings.acknowledgeWithin(), kafka)
                .forEach((key, value) -> p.put("kafka.producers." + CommandLog.PRODUCER + "." + key, value));
        return p;
    }

    /**
     * Without any, the framework still refuses pages from elsewhere that ask a gateway on their
     * reader's own machine.
     */
    private static void origins(List<String> allowed, Map<String, Object> p) {
        if (!allowed.isEmpty()) {
            p.put("micronaut.server.cors.enabled", true);
            p.put("micronaut.server.cors.configurations.web.allowed-origins", allowed);
            p.put("micronaut.server.cors.configurations.web.allow-credentials", false);
            p.put("micronaut.server.cors.configurations.web.exposed-headers", EXPOSED_HEADERS);
        }
    }

    static Map<String, Object> producer(Duration acknowledgeWithin, KafkaSettings kafka) {
        int timeout = Math.toIntExact(acknowledgeWithin.toMillis());
        Map<String, Object> p = kafka.producerConfig("commands");
        p.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topic.MAX_MESSAGE_BYTES);
        p.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeout);
        p.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeout);
        p.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(1, timeout / 2));
        p.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
        return p;
    }
}
