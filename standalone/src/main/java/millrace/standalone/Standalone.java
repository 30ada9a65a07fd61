package millrace.standalone;

import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import millrace.broker.EmbeddedKafka;
import millrace.contracts.topics.Topics;
import millrace.gateway.bootstrap.Gateway;
import millrace.gateway.bootstrap.GatewayDependencies;
import millrace.gateway.settings.GatewaySettings;
import millrace.notifier.NotifierSettings;
import millrace.notifier.bootstrap.Notifier;
import millrace.processor.bootstrap.Processor;
import millrace.processor.bootstrap.ProcessorSettings;
import millrace.runtime.kafka.TopicCreation;
import millrace.runtime.management.DiskSpaceMonitor;
import millrace.runtime.management.ManagementServer;
import millrace.runtime.service.BackgroundTask;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.Settings;
import millrace.runtime.settings.SettingsException;
import millrace.standalone.folder.DataFolder;
import millrace.standalone.folder.StandaloneSettings;

/** Runs all of Millrace in this process on an embedded Kafka, with its state in one folder. */
final class Standalone implements AutoCloseable {
    private static final String INSTANCE = "standalone";
    private static final String PARTITIONS = "4";
    private static final String LOOPBACK = "127.0.0.0/8,::1/128";

    private final StartedServices running;
    private final ManagementServer management;
    private final URI address;
    private final KafkaPort kafkaPort;
    private final Optional<URI> adminAddress;

    private Standalone(StartedServices running, ManagementServer management, Gateway gateway, KafkaPort kafkaPort) {
        this.running = running;
        this.management = management;
        this.address = gateway.address();
        this.adminAddress = gateway.adminAddress();
        this.kafkaPort = kafkaPort;
    }

    /**
     * Returns when all parts have been started, without waiting until they are ready. The demo data
     * must exist.
     *
     * @throws SettingsException where a port is taken or a setting is wrong; its message is one
     *     line
     */
    static Standalone start(Settings given, DataFolder data, Consumer<Throwable> onFatal) {
        var own = given.section(StandaloneSettings.PREFIX, StandaloneSettings.class);
        Settings settings = onOneMachine(given, data);
        // The port must be known before the gateway starts, because download links contain it.
        var gatewaySettings = settings.section("gateway", GatewaySettings.class);
        int port = StartupChecks.port(gatewaySettings.host(), gatewaySettings.port());
        var running = new StartedServices();
        try {
            ManagementServer management = running.add(ManagementServer.start(given.management()));
            DiskSpaceMonitor disk =
                    running.add(DiskSpaceMonitor.watch(given.disk(), folders(settings, data), management.registry()));
            int adminPort = adminPort(given, gatewaySettings);
            KafkaPort kafkaPort =
                    KafkaPort.choose(data, own.kafkaPort(), gatewaySettings.port() == 0, List.of(port, adminPort));
            Settings complete = settings.withDefaults(Map.of("processor.public-address", "http://127.0.0.1:" + port))
                    .with(Map.of(
                            "gateway.port", Integer.toString(port),
                            "gateway.admin.port", Integer.toString(adminPort),
                            "kafka.bootstrap.servers", kafkaPort.address()));
            var topics = BackgroundTask.start("kafka", () -> {
                var unused = running.add(EmbeddedKafka.start(data.kafka(), kafkaPort.number(), broker(own)));
                return TopicCreation.ensure(complete.kafka(), Topics.ALL);
            });
            Gateway gateway = startServices(complete, running, management, disk, topics::await, onFatal);
            return new Standalone(running, management, gateway, kafkaPort);
        } catch (RuntimeException e) {
            running.close();
            throw e;
        }
    }

    /**
     * Any free port where the settings name none and the usual one is taken or the gateway's port
     * is 0 too.
     */
    private static int adminPort(Settings given, GatewaySettings gateway) {
        int port = gateway.admin().port();
        boolean chosen = port
                == given.withDefaults(Map.of("gateway.admin.port", "1"))
                        .section("gateway", GatewaySettings.class)
                        .admin()
                        .port();
        if (chosen) {
            return port;
        }
        return gateway.port() == 0 || !StartupChecks.free(gateway.admin().host(), port) ? 0 : port;
    }

    /** The settings with the defaults of a single machine. */
    static Settings onOneMachine(Settings given, DataFolder data) {
        var own = given.section(StandaloneSettings.PREFIX, StandaloneSettings.class);
        Settings settings = given.withDefaults(defaults(data, own.fsync()));
        if (!isLoopback(settings.section("gateway", GatewaySettings.class).host())) {
            return settings;
        }
        // All clients are on this machine, so their receivers may be too.
        return settings.withDefaults(
                Map.of("gateway.allowed-addresses", LOOPBACK, "notifier.allowed-addresses", LOOPBACK));
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** The gateway's address, without a slash at the end. */
    URI address() {
        return address;
    }

    /** The admin API's address, without a slash at the end. */
    Optional<URI> adminAddress() {
        return adminAddress;
    }

    KafkaPort kafkaPort() {
        return kafkaPort;
    }

    /**
     * Waits until all parts are ready, as {@code /health/ready} says; returns false where it takes
     * longer.
     */
    boolean awaitReady(Duration timeout) throws InterruptedException {
        return management.awaitReady(timeout);
    }

    /** The checks that fail now. */
    List<String> failingChecks() {
        return management.failingChecks();
    }

    @Override
    public void close() {
        running.close();
    }

    /**
     * Starts the services at the same time as Kafka, because each has work to do before it needs
     * the topics.
     */
    private static Gateway startServices(
            Settings settings,
            StartedServices running,
            ManagementServer management,
            DiskSpaceMonitor disk,
            Runnable topics,
            Consumer<Throwable> onFatal) {
        MeterRegistry registry = management.registry();
        KafkaSettings kafka = settings.kafka();
        var gateway = settings.section("gateway", GatewaySettings.class);
        var processor = settings.section(ProcessorSettings.PREFIX, ProcessorSettings.class);
        var notifier = settings.section("notifier", NotifierSettings.class);
        var gatewayStart = BackgroundTask.start(
                "gateway",
                () -> running.add(
                        Gateway.start(gateway, kafka, GatewayDependencies.load(gateway, disk), registry, topics)));
        var processorStart = BackgroundTask.start(
                "processor", () -> running.add(Processor.start(processor, kafka, disk, registry, topics, onFatal)));
        var notifierStart = BackgroundTask.start("notifier", () -> {
            topics.run();
            return running.add(Notifier.start(notifier, kafka, registry, onFatal));
        });
        // Waits for all of them, so that those that have started are closed where one fails.
        Stream.of(gatewayStart, processorStart, notifierStart).forEach(BackgroundTask::awaitEnd);
        management.add("gateway", gatewayStart.await().health());
        management.add("processor", processorStart.await().health());
        management.add("notifier", notifierStart.await().health());
        // Closed while Kafka is still there.
        var unused = running.add(management.publish(kafka));
        // It is closed first, and makes everything not ready.
        running.add(management::drain);
        return gatewayStart.await();
    }

    /** All folders that the process writes to, including Kafka's. */
    private static Set<Path> folders(Settings settings, DataFolder data) {
        Set<Path> folders = new LinkedHashSet<>(List.of(data.kafka()));
        folders.addAll(settings.section("gateway", GatewaySettings.class).folders());
        folders.addAll(settings.section(ProcessorSettings.PREFIX, ProcessorSettings.class)
                .folders());
        return folders;
    }

    private static Map<String, String> broker(StandaloneSettings own) {
        return own.fsync() ? Map.of("log.flush.interval.messages", "1") : Map.of();
    }

    private static Map<String, String> defaults(DataFolder data, boolean fsync) {
        Map<String, String> d = new HashMap<>();
        d.put("kafka.partitions", PARTITIONS);
        d.put("kafka.instance-id", INSTANCE);
        // There is no other broker that a partition could move to, and no other process that could leave a group.
        d.put("kafka.client.metadata.max.age.ms", "30000");
        d.put("kafka.client.heartbeat.interval.ms", "1000");
        d.put("gateway.accounts", data.accounts().toString());
        d.put("gateway.accounts-key", data.accountsKey().toString());
        d.put("gateway.admin.keys", data.adminKeys().toString());
        d.put("notifier.accounts-key", data.accountsKey().toString());
        d.put("storage.reports", data.reports().toString());
        d.put("storage.link-secret", data.linkSecret().toString());
        d.put("storage.fsync", Boolean.toString(fsync));
        d.put("gateway.activity.directory", data.activity().toString());
        d.put("gateway.read-model.directory", data.readModel().toString());
        d.put("gateway.deliveries.directory", data.deliveries().toString());
        d.put("processor.warehouse", data.warehouse().toString());
        d.put("processor.state", data.streams().toString());
        d.put("processor.standbys", "0"); // no other processor is there that could keep one
        d.put("processor.duckdb.temp-directory", data.scratch().toString());
        if (Files.isDirectory(data.catalog())) {
            d.put("storage.catalog", data.catalog().toString());
        }
        d.put("notifier.accounts", data.accounts().toString());
        return d;
    }
}
