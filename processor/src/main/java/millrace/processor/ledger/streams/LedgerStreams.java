package millrace.processor.ledger.streams;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.processor.ledger.streams.internals.LedgerClientSupplier;
import millrace.runtime.kafka.UnsetTopicSettings;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.LagInfo;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the ledger's topology with exactly-once semantics. After an error that ends processing, {@code onFatal} is
 * called, so that the process does not stay up without working.
 */
public final class LedgerStreams implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerStreams.class);
    private static final Duration CLOSE = Duration.ofSeconds(4);
    /** For all partitions together; the default of 50 MB would be much of a small heap. */
    private static final int FETCH_BYTES = 8 << 20;

    private static final int MOST_WAITING = 600;
    private static final int MOST_WAITING_OF_PARTITION = 100;
    private static final int LEAST_WAITING_OF_PARTITION = 10;
    /**
     * Settings of the changelog. Streams restores all that is not compacted yet: what is in the newest segment, up to
     * half of the others, and the tombstones of an hour. State that is older than half of that is not read on from its place,
     * since it may have missed some.
     */
    static final Map<String, String> CHANGELOG = Map.of(
            TopicConfig.SEGMENT_BYTES_CONFIG, Integer.toString(16 << 20),
            TopicConfig.SEGMENT_MS_CONFIG, Long.toString(Duration.ofDays(1).toMillis()),
            TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG, Long.toString(Topic.COMPACTED_AFTER.toMillis()),
            TopicConfig.DELETE_RETENTION_MS_CONFIG,
                    Long.toString(
                            LedgerClientSupplier.OLDEST_STATE.multipliedBy(2).toMillis()));

    private final KafkaStreams streams;
    private final Thread leaving = Thread.ofVirtual().unstarted(this::leaveGroup);

    private LedgerStreams(KafkaStreams streams) {
        this.streams = streams;
    }

    /**
     * @param onFatal called with an error after which nothing is processed any more; the process should end
     * @throws SettingsException where commands were decided, but the state is missing
     */
    public static LedgerStreams start(
            Topology topology, StreamsSettings settings, KafkaSettings kafka, Consumer<Throwable> onFatal) {
        var transactions = LedgerTransaction.perThread(settings.commitInterval(), LocalWorkers.NONE);
        return start(topology, transactions, settings, kafka, onFatal);
    }

    /** @param transactions returns that of the calling stream thread, which the steps of the topology use */
    public static LedgerStreams start(
            Topology topology,
            Supplier<LedgerTransaction> transactions,
            StreamsSettings settings,
            KafkaSettings kafka,
            Consumer<Throwable> onFatal) {
        LostStateCheck.Changelog changelog = LostStateCheck.check(kafka);
        // Streams sets them only on a topic that it creates.
        var unused = Thread.ofVirtual()
                .name("changelog-settings")
                .start(() -> UnsetTopicSettings.set(kafka, LostStateCheck.TOPIC, CHANGELOG));
        var local = new LocalState(settings.state(), InstantSource.system());
        local.keepOnlyOf(changelog);
        local.checkIfSuspected();
        local.discardOutdated(LedgerClientSupplier.OLDEST_STATE, () -> LostStateCheck.ends(kafka));
        var clients = new LedgerClientSupplier(transactions, InstantSource.system());
        Supplier<KafkaStreams> client = () -> client(topology, clients, config(settings, kafka), local, onFatal);
        KafkaStreams streams = client.get();
        try {
            streams.start();
        } catch (StreamsException e) { // start() opens the existing stores
            streams.close();
            if (LocalState.damage(e).isEmpty() || local.check() == 0) {
                throw e;
            }
            streams = client.get();
            streams.start();
        }
        return new LedgerStreams(streams);
    }

    private static KafkaStreams client(
            Topology topology,
            LedgerClientSupplier clients,
            Map<String, Object> config,
            LocalState local,
            Consumer<Throwable> onFatal) {
        var properties = new Properties();
        properties.putAll(config);
        var streams = new KafkaStreams(topology, properties, clients, new SteadyTime());
        streams.setUncaughtExceptionHandler(error -> {
            onFatal.accept(reason(error, local));
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        return streams;
    }

    /**
     * The reason why the ledger stops: the {@link SettingsException} that an operator can act on, if Streams has
     * wrapped one, else the error itself.
     */
    private static Throwable reason(Throwable error, LocalState local) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof SettingsException) {
                return e;
            }
        }
        LocalState.damage(error)
                .ifPresentOrElse(
                        damage -> {
                            LOG.error(
                                    "ledger stopped, local state is damaged and the next start rebuilds it from Kafka error={}",
                                    damage);
                            local.suspect();
                        },
                        () -> LOG.error(
                                "ledger stopped, its open transaction is aborted and its commands are decided again after a restart",
                                error));
        return error;
    }

    /** The configuration of Kafka Streams. */
    public static Map<String, Object> config(StreamsSettings settings, KafkaSettings kafka) {
        Map<String, Object> config = kafka.clientConfig();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, ConsumerGroups.PROCESSOR);
        config.put(StreamsConfig.CLIENT_ID_CONFIG, ConsumerGroups.PROCESSOR + "-" + kafka.instanceId());
        config.put(StreamsConfig.STATE_DIR_CONFIG, settings.state().toString());
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        config.put(
                StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                settings.commitInterval().toMillis());
        config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, settings.threads());
        config.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, settings.standbys());
        config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, kafka.replication());
        config.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedMemoryRocksDbConfig.class);
        config.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        // A process that restarts within the session timeout gets its old tasks back, and after a kill aborts its old
        // transaction. Others take over the tasks of a process that does not come back after 6 s.
        config.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), kafka.instanceId());
        config.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
        // A member learns with its heartbeat that another one has left.
        config.putIfAbsent(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 300);
        // The open transaction of a dead process blocks all readers for this time. A shorter timeout would abort
        // transactions while a broker is replaced, which takes 4 s, and then the local state would have to be
        // restored.
        config.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 8_000);
        // With more than one, the broker rejects and logs a second request to a partition that it is still adding to
        // the transaction. The producer would repeat it, so nothing is gained.
        config.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION), 1);
        config.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 64 * 1024);
        // What one commit writes to a partition is one batch, so that statuses and state of one account, which repeat
        // each other, are compressed together.
        config.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), kafka.compression());
        config.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, waitingCommands(kafka.partitions()));
        // Streams would ask for the lag of each empty partition between two polls, to merge several of a task by time;
        // a task of the ledger reads one.
        config.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
        config.put(StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MAX_BYTES_CONFIG), FETCH_BYTES);
        config.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), 2 * Topic.MAX_MESSAGE_BYTES);
        config.put(
                StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                Integer.toString(Topic.MAX_MESSAGE_BYTES));
        kafka.topicConfig().forEach((key, value) -> config.put(StreamsConfig.topicPrefix(key), value));
        CHANGELOG.forEach((key, value) -> config.put(StreamsConfig.topicPrefix(key), value));
        return config;
    }

    /**
     * Waiting commands are limited by number only, 1,000 a partition by default, and a command may have 200 KB. With
     * many partitions there are fewer for each.
     */
    private static int waitingCommands(int partitions) {
        return Math.clamp(MOST_WAITING / partitions, LEAST_WAITING_OF_PARTITION, MOST_WAITING_OF_PARTITION);
    }

    /** Whether the ledger processes commands, or waits for a rebalance. */
    public boolean alive() {
        return streams.state().isRunningOrRebalancing() || streams.state() == KafkaStreams.State.CREATED;
    }

    /** The metrics of the Kafka clients. Thread-safe. */
    public Map<MetricName, ? extends Metric> measured() {
        return streams.metrics();
    }

    public KafkaStreams.State state() {
        return streams.state();
    }

    /**
     * Records of the changelog that this process has not read of the state that it keeps, for itself or for others;
     * empty where it keeps none. Asks Kafka.
     */
    public OptionalLong behind() {
        List<LagInfo> partitions = streams.allLocalStorePartitionLags().values().stream()
                .flatMap(store -> store.values().stream())
                .toList();
        return partitions.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(
                        partitions.stream().mapToLong(LagInfo::offsetLag).sum());
    }

    /** Begins to leave the group, so that other processors take over at once. Does not block. */
    public void leave() {
        if (leaving.getState() == Thread.State.NEW) {
            leaving.start();
        }
    }

    /** Leaves the group, and returns once that is done. */
    @Override
    public void close() {
        leave();
        try {
            leaving.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void leaveGroup() {
        CloseOptions leave = CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                .withTimeout(CLOSE);
        if (!streams.close(leave)) {
            LOG.warn("ledger did not close in time, uncommitted commands are decided again timeout={}", CLOSE);
        }
    }
}
