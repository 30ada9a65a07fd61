package millrace.processor.ledger.streams;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.files.StorageSettings;
import millrace.processor.bootstrap.ProcessorSettings;
import millrace.processor.ledger.decide.LedgerSamples;
import millrace.processor.ledger.state.LedgerStores;
import millrace.processor.rendering.tasks.RenderSettings;
import millrace.processor.retention.SweepSettings;
import millrace.processor.warehouse.duckdb.DuckDbSettings;
import millrace.processor.warehouse.jdbc.JdbcSettings;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.Settings;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** The real topology with production settings, without a broker. The clock stands still until a test moves it. */
public final class LedgerTestDriver implements AutoCloseable {
    private final TopologyTestDriver driver;
    private final LedgerTransaction transaction;
    private final AtomicReference<Instant> wall;
    private final MeterRegistry metrics;
    /** Records that were sent by commits only. */
    private final List<OutgoingRecord> keptBack = new ArrayList<>();

    private LedgerTestDriver(
            TopologyTestDriver driver,
            LedgerTransaction transaction,
            AtomicReference<Instant> wall,
            MeterRegistry metrics) {
        this.driver = driver;
        this.metrics = metrics;
        this.wall = wall;
        this.transaction = transaction;
    }

    static LedgerTestDriver open(Path folder) {
        return open(folder, LocalWorkers.NONE);
    }

    /** A ledger that hands small reports to these workers, once it is told {@link #readBefore where its log ended}. */
    static LedgerTestDriver open(Path folder, LocalWorkers workers) {
        var properties = new Properties();
        ProcessorSettings settings = settings(folder);
        properties.putAll(LedgerStreams.config(settings.streams(), KafkaSettings.local("localhost:1", 1, "test")));
        LedgerTransaction transaction = transaction(settings, workers);
        var wall = new AtomicReference<>(LedgerSamples.NOON);
        var metrics = new SimpleMeterRegistry();
        var driver = new TopologyTestDriver(
                topology(settings, transaction, wall::get, metrics), properties, LedgerSamples.NOON);
        return new LedgerTestDriver(driver, transaction, wall, metrics);
    }

    private static LedgerTransaction transaction(ProcessorSettings settings, LocalWorkers workers) {
        return new LedgerTransaction(ServiceThreads.ofMachine(), settings.commitInterval(), workers);
    }

    static Topology topology(ProcessorSettings settings) {
        return topology(
                settings,
                transaction(settings, LocalWorkers.NONE),
                InstantSource.fixed(LedgerSamples.NOON),
                new SimpleMeterRegistry());
    }

    private static Topology topology(
            ProcessorSettings settings, LedgerTransaction transaction, InstantSource wall, MeterRegistry metrics) {
        return ReportTopology.of(new AccountStepSupplier(
                settings.rules(),
                LedgerTestDriver::version,
                (report, file) -> "https://reports.example/" + report.reportId(),
                metrics,
                () -> transaction,
                wall));
    }

    private static Optional<String> version(String dataset) {
        if (dataset.equals("broken")) {
            throw new IllegalStateException("nobody foresaw this");
        }
        return dataset.equals("demographics") ? Optional.of("v1") : Optional.empty();
    }

    /** Slices of 10 rows or 2 entities, at most 8; a report 2, an account 3 slices and 2 small reports at a time. */
    public static ProcessorSettings settings(Path folder) {
        return new ProcessorSettings(
                folder.resolve("state"),
                folder.resolve("warehouse").toString(),
                URI.create("https://reports.example"),
                Settings.sectionOf(
                        "storage",
                        StorageSettings.class,
                        Map.of(
                                "storage.reports", folder.resolve("reports").toString(),
                                "storage.link-secret", folder.resolve("secret").toString())),
                1,
                0,
                Duration.ofMillis(20),
                new ProcessorSettings.Slicing(10, 2, 8),
                new ProcessorSettings.Turns(2, 3, 2),
                new ProcessorSettings.Times(
                        Duration.ofSeconds(30),
                        Duration.ofDays(1),
                        Duration.ofDays(30),
                        Duration.ofDays(365),
                        Duration.ofDays(400),
                        Duration.ofDays(29),
                        Duration.ofDays(1)),
                new SweepSettings(Duration.ofHours(1), Duration.ofDays(1), 10),
                new RenderSettings(1, 1, Duration.ofMinutes(1), Duration.ofSeconds(5), Duration.ofSeconds(30)),
                new DuckDbSettings("256MB", 1, folder.resolve("spill"), 0),
                new JdbcSettings(
                        null,
                        null,
                        2,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        100,
                        Duration.ofSeconds(1),
                        Duration.ZERO));
    }

    void send(String account, AccountCommand command) {
        send(account, Topics.ACCOUNT_COMMANDS.encode(command));
    }

    void send(String account, byte[] value) {
        pipe(account, value);
        commit();
    }

    /** Has a command decided and does not commit. */
    void sendUncommitted(String account, AccountCommand command) {
        pipe(account, Topics.ACCOUNT_COMMANDS.encode(command));
    }

    private void pipe(String account, byte[] value) {
        driver.createInputTopic(Topics.ACCOUNT_COMMANDS.name(), new StringSerializer(), new ByteArraySerializer())
                .pipeInput(account, value);
    }

    /** Runs punctuations that are due, and does not commit. */
    void passUncommitted(Duration time) {
        setWall(time);
        driver.advanceWallClockTime(time);
    }

    /** The value of a counter. */
    double metric(String name) {
        return metrics.get(name).counter().count();
    }

    /** Sets the wall clock, while no time passes. */
    void setWall(Duration forward) {
        wall.updateAndGet(now -> now.plus(forward));
    }

    /** The commands before this offset were in the log when the ledger took over. */
    void readBefore(long end) {
        transaction.readBy(partition -> end);
    }

    /** Does what the clients of Streams do, which the driver does not use. */
    void commit() {
        transaction.committing((topic, record) -> keptBack.add(new OutgoingRecord(topic, record)));
        transaction.ending();
        transaction.committed();
    }

    void abort() {
        transaction.aborted();
    }

    void pass(Duration time) {
        passUncommitted(time);
        commit();
    }

    /** The records that were written to the topic since the last call. */
    List<TestRecord<String, byte[]>> records(Topic<?> topic) {
        List<TestRecord<String, byte[]>> records = new ArrayList<>(
                driver.createOutputTopic(topic.name(), new StringDeserializer(), new ByteArrayDeserializer())
                        .readRecordsToList());
        keptBack.stream()
                .filter(kept -> kept.topic().equals(topic.name()))
                .map(OutgoingRecord::record)
                .forEach(r -> records.add(
                        new TestRecord<>(r.key(), r.value(), r.headers(), Instant.ofEpochMilli(r.timestamp()))));
        keptBack.removeIf(kept -> kept.topic().equals(topic.name()));
        return records;
    }

    <V> List<V> read(Topic<V> topic) {
        return records(topic).stream().map(r -> topic.decode(r.value())).toList();
    }

    <V> V one(Topic<V> topic) {
        List<V> values = read(topic);
        if (values.size() != 1) {
            throw new AssertionError("expected one record in " + topic.name() + ", not " + values);
        }
        return values.getFirst();
    }

    /** Replaces, or removes, the value of a key in the ledger's store. */
    void overwrite(String key, byte @Nullable [] value) {
        driver.<String, byte[]>getKeyValueStore(LedgerStores.STORE).put(key, value);
    }

    String stored(String key) {
        return new String(
                driver.<String, byte[]>getKeyValueStore(LedgerStores.STORE).get(key), StandardCharsets.UTF_8);
    }

    /** Copies the stores to another ledger, as a restart on another machine does. */
    void moveTo(LedgerTestDriver other) {
        driver.getAllStateStores().keySet().forEach(name -> {
            KeyValueStore<String, Object> from = driver.getKeyValueStore(name);
            KeyValueStore<String, Object> to = other.driver.getKeyValueStore(name);
            try (KeyValueIterator<String, Object> entries = from.all()) {
                while (entries.hasNext()) {
                    KeyValue<String, Object> entry = entries.next();
                    to.put(entry.key, entry.value);
                }
            }
        });
    }

    /** Number of values of a kind in the store. */
    long entries(String kind) {
        return count(driver.<String, byte[]>getKeyValueStore(LedgerStores.STORE)
                .prefixScan(kind + "/", new StringSerializer()));
    }

    /** Number of all values in the store. */
    long entries() {
        return count(driver.<String, byte[]>getKeyValueStore(LedgerStores.STORE).all());
    }

    private static long count(KeyValueIterator<String, byte[]> entries) {
        try (entries) {
            long n = 0;
            for (; entries.hasNext(); entries.next()) {
                n++;
            }
            return n;
        }
    }

    @Override
    public void close() {
        driver.close();
    }
}
