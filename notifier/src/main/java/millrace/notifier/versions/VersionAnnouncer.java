package millrace.notifier.versions;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import millrace.contracts.topics.ConsumerGroups;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads which version of the data is current, announces each one once, and has it delivered to the webhooks that are
 * subscribed. Each dataset has one announcer of the group. Runs on its own thread until it is closed; after a {@link
 * KafkaException} another run begins, and deliveries go on meanwhile.
 */
public final class VersionAnnouncer implements AutoCloseable {
    /** The consumer group of the announcers. */
    static final String GROUP = ConsumerGroups.ANNOUNCERS;

    private static final Logger LOG = LoggerFactory.getLogger(VersionAnnouncer.class);
    /** Not longer than an open transaction of an announcer that died may last. */
    private static final String TRANSACTION_TIMEOUT_MILLIS = "5000";

    private static final String SESSION_TIMEOUT_MILLIS = "6000";
    private static final String HEARTBEAT_MILLIS = "1000";
    private static final String FETCH_BYTES = "1000000";
    private static final String BUFFER_BYTES = "8000000";
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** After an error that time alone does not cure, for example a right that is missing. */
    private static final Duration LONG_PAUSE = Duration.ofSeconds(30);

    private static final Duration CLOSING = Duration.ofSeconds(1);

    private final KafkaSettings kafka;
    private final KafkaClientFactory clients;
    private final ServiceThreads threads;
    private final Subscribers subscribers;
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Consumer<String, byte[]> running;

    private VersionAnnouncer(
            KafkaSettings kafka,
            KafkaClientFactory clients,
            ServiceThreads threads,
            Subscribers subscribers,
            BooleanSupplier ready,
            java.util.function.Consumer<Throwable> onFatal) {
        this.kafka = kafka;
        this.clients = clients;
        this.threads = threads;
        this.subscribers = subscribers;
        this.thread = threads.platform().name("announcer").unstarted(() -> {
            try {
                while (!closed && !ready.getAsBoolean()) {
                    LOG.debug("waiting for accounts");
                }
                while (!closed) {
                    threads.sleep(run());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error e) {
                LOG.error("announcer failed error={}", e.toString(), e);
                onFatal.accept(e);
            }
        });
    }

    /**
     * @param ready waits a moment, and says whether the subscribers are known
     * @param onFatal called at most once, after the announcer has failed; the process should end too
     */
    public static VersionAnnouncer start(
            KafkaSettings kafka,
            KafkaClientFactory clients,
            ServiceThreads threads,
            Subscribers subscribers,
            BooleanSupplier ready,
            java.util.function.Consumer<Throwable> onFatal) {
        var announcer = new VersionAnnouncer(kafka, clients, threads, subscribers, ready, onFatal);
        announcer.thread.start();
        return announcer;
    }

    /** Returns how long to wait before the next run. */
    private Duration run() {
        try {
            Consumer<String, byte[]> consumer = clients.consumer(member());
            Consumer<String, byte[]> reader = clients.consumer(reading());
            Producer<String, byte[]> producer = clients.producer(writing());
            running = consumer;
            try {
                new AnnouncerRun(consumer, reader, this::ends, producer, subscribers, threads.clock())
                        .run(() -> closed);
            } finally {
                running = null;
                producer.close(Duration.ZERO);
                reader.close(CloseOptions.timeout(CLOSING));
                consumer.close(CloseOptions.timeout(CLOSING));
            }
            return Duration.ZERO;
        } catch (KafkaException e) {
            if (closed) {
                return Duration.ZERO;
            }
            LOG.warn("announcer run failed, another one starts error={}", e.toString());
            return refused(e) ? LONG_PAUSE : PAUSE;
        }
    }

    private static boolean refused(KafkaException error) {
        return error instanceof AuthorizationException
                || error instanceof AuthenticationException
                || error instanceof UnsupportedVersionException;
    }

    private Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
        Map<String, Object> config = reading();
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        try (Consumer<String, byte[]> uncommitted = clients.consumer(config)) {
            return uncommitted.endOffsets(partitions);
        }
    }

    private Map<String, Object> member() {
        Map<String, Object> config = reading();
        config.put(ConsumerConfig.GROUP_ID_CONFIG, GROUP);
        config.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, RangeAssignor.class.getName());
        config.putIfAbsent(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MILLIS);
        config.putIfAbsent(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);
        return config;
    }

    private Map<String, Object> reading() {
        Map<String, Object> config = new HashMap<>(kafka.clientConfig());
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        return config;
    }

    private Map<String, Object> writing() {
        Map<String, Object> config = new HashMap<>(kafka.clientConfig());
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, GROUP + "-" + kafka.instanceId());
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
        config.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MILLIS);
        config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, kafka.compression());
        return config;
    }

    /** Ends after the transaction under way. */
    @Override
    public void close() {
        closed = true;
        Consumer<String, byte[]> consumer = running;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            thread.join(CLOSING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
