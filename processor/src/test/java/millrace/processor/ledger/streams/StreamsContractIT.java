package millrace.processor.ledger.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.state.LedgerStores;
import millrace.processor.ledger.streams.HeldTasks.AnsweredTask;
import millrace.processor.ledger.streams.LocalWorkers.HandedTask;
import millrace.processor.ledger.streams.internals.LedgerClientSupplier;
import millrace.processor.ledger.streams.internals.StoreCache;
import millrace.processor.ledger.streams.internals.TaskFolders;
import millrace.runtime.settings.KafkaSettings;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Checks what {@code millrace.processor.ledger.streams.internals} assumes of Kafka Streams. If a version of Streams fails
 * here, docs/reference/kafka-streams.md says what to do, by the names in the messages.
 */
class StreamsContractIT {
    private static final String COMMITS = "commits";
    private static final String CACHE = "cache";
    private static final String FOLDERS = "folders";
    private static final String OUT_OF_RANGE = "out of range";

    private static final int COMMANDS = 20;
    private static final TopicPartition OUTPUT = new TopicPartition(Topics.CREDIT_LEDGER.name(), 0);
    /** Where tasks go that are not answered in time. */
    private static final TopicPartition HANDED_OUT = new TopicPartition(Topics.SMALL_REPORTS.name(), 0);

    private static final SliceRef SLICE = new SliceRef(new UUID(0, 1), 1, 0, 1);
    private static final String LATE = "late";
    private static final String MISSED = "missed";
    private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");

    /** Of an application that has the name of the ledger's. */
    private static final TopicPartition CHANGELOG = new TopicPartition(Topics.LEDGER_CHANGELOG, 0);

    private static final TopicPartition KEPT_BACK = new TopicPartition(Topics.ACCOUNT_STATE.name(), 0);

    @TempDir
    Path folder;

    private final Supplier<LedgerTransaction> thread =
            LedgerTransaction.perThread(Duration.ofMillis(100), new Workers());
    /** An hour later from some moment on. */
    private final AtomicBoolean late = new AtomicBoolean();

    private final LedgerClientSupplier clients =
            new LedgerClientSupplier(thread, () -> late.get() ? NOON.plus(Duration.ofHours(1)) : NOON);
    private final AtomicInteger withdrawn = new AtomicInteger();
    private final Queue<LedgerTransaction> transactions = new ConcurrentLinkedQueue<>();

    /**
     * Forwards each record, and what workers answer of it, and requests a commit. Its store has the key of a record
     * until there is an answer.
     */
    private final class Step extends ContextualProcessor<String, byte[], String, byte[]> {
        private CommitRequests commits;
        private KeyValueStore<String, byte[]> store;

        @SuppressWarnings("NullAway.Init")
        Step() {}

        @Override
        public void init(ProcessorContext<String, byte[]> context) {
            super.init(context);
            transactions.add(thread.get());
            store = context.getStateStore(LedgerStores.STORE);
            StoreCache.leaveOutNeedlessRemovals(store);
            commits = new CommitRequests(context, thread.get(), this::takeAnswers);
        }

        @Override
        public void process(Record<String, byte[]> record) {
            context().forward(record);
            store.put(record.key(), record.value());
            LedgerTransaction transaction = thread.get();
            assertThat(transaction.keepBack(new OutgoingRecord(KEPT_BACK.topic(), record)))
                    .isTrue();
            var task = new RenderTask.Assemble("acme", SLICE, List.of());
            var handed = new HandedTask(task, new OutgoingRecord(HANDED_OUT.topic(), record, task));
            boolean unused = transaction.handOver(this, handed);
            commits.decided();
        }

        private void takeAnswers() {
            for (AnsweredTask answered : thread.get().answered(this)) {
                Record<String, byte[]> record = answered.task().record().record();
                context().forward(record);
                store.put(record.key(), null);
                commits.decided();
            }
        }
    }

    /** Answer at once, but for the last task, which they never answer. */
    private final class Workers implements LocalWorkers {
        @Override
        public Run take(HandedTask task, Consumer<AccountCommand> answered) {
            if (!task.record().record().key().equals(LATE)) {
                answered.accept(new AccountCommand.SliceDone(SLICE, new StoredFile("f", 1, "00"), ResultCounts.NONE));
            }
            return () -> withdrawn.incrementAndGet();
        }

        @Override
        public void discard(AccountCommand answer) {}

        @Override
        public void committed(int answered, int late) {}
    }

    /**
     * By itself Streams would wait 4 s for records here, and commit once a minute, so earlier commits show that it commits
     * as is assumed.
     */
    @Test
    void everyTransactionIsSeenFromItsFlushToItsCommitAndEachCommitIsPrompt() throws Exception {
        try (TestKafka kafka = TestKafka.fresh();
                var producer = producer(kafka);
                var consumer = reader(kafka)) {
            kafka.createTopics(List.of(Topics.ACCOUNT_COMMANDS), 2);
            kafka.createTopics(List.of(Topics.CREDIT_LEDGER, Topics.ACCOUNT_STATE, Topics.SMALL_REPORTS), 1);
            consumer.assign(List.of(OUTPUT));
            consumer.seekToBeginning(List.of(OUTPUT));
            int committed = 0;
            try (var streams = new KafkaStreams(topology(), properties(kafka), clients)) {
                streams.start();
                await().atMost(Duration.ofSeconds(30)).until(() -> streams.state() == KafkaStreams.State.RUNNING);
                for (int i = 0; i < COMMANDS; i++) {
                    send(producer, i % 2, "acme");
                    int records = awaitCommitted(consumer);
                    assertThat(records)
                            .as("%s: the command and its answer in one transaction", COMMITS)
                            .isEqualTo(2);
                    committed += records;
                }
                assertThat(end(consumer, HANDED_OUT)).isZero();
                assertThat(end(consumer, CHANGELOG))
                        .as("%s: a key that a transaction adds and removes is not written", CACHE)
                        .isZero();
                send(producer, 0, LATE);
                committed += awaitCommitted(consumer);
                assertThat(end(consumer, HANDED_OUT))
                        .as("%s: what was not answered is sent within the transaction, a record and a marker", COMMITS)
                        .isEqualTo(2);
                assertThat(end(consumer, CHANGELOG))
                        .as("%s: a key and a marker", CACHE)
                        .isEqualTo(2);
                assertThat(withdrawn.get()).isEqualTo(1);
                streams.close(Duration.ZERO);
                send(producer, 0, "acme"); // ends the wait for records
            }
            committed += consumer.poll(Duration.ofMillis(500)).count();
            assertThat(transactions)
                    .as("%s: both tasks are in one thread", COMMITS)
                    .hasSize(2);
            LedgerTransaction transaction = transactions.remove();
            assertThat(transactions.remove()).isSameAs(transaction);
            // Each transaction that writes to a partition leaves one marker there.
            long commits = end(consumer, OUTPUT) - committed;
            assertThat(commits).isPositive();
            assertThat(end(consumer, KEPT_BACK))
                    .as("%s: what is kept back is in each transaction, a record and a marker", COMMITS)
                    .isEqualTo(2 * commits);
            assertThat(transaction.rest())
                    .as("%s: a commit's time is taken", COMMITS)
                    .isLessThan(Duration.ofSeconds(5));
            long changes = end(consumer, CHANGELOG);
            assertThat(TaskFolders.isAtEnd(task(0), LedgerStores.STORE, CHANGELOG.topic(), Map.of(0, changes)))
                    .as("%s: the database says how far it is", FOLDERS)
                    .isTrue();
            assertThat(TaskFolders.isAtEnd(task(0), LedgerStores.STORE, CHANGELOG.topic(), Map.of(0, changes + 1)))
                    .as("%s: and is not further", FOLDERS)
                    .isFalse();
        }
    }

    /** The database gets a key that the changelog does not have, as if it had missed the removal. */
    @Test
    void stateIsReadAnewIfItsReaderHasStoodStill() throws Exception {
        try (TestKafka kafka = TestKafka.fresh();
                var producer = producer(kafka)) {
            kafka.createTopics(List.of(Topics.ACCOUNT_COMMANDS), 1);
            kafka.createTopics(List.of(Topics.CREDIT_LEDGER, Topics.ACCOUNT_STATE, Topics.SMALL_REPORTS), 1);
            Properties properties = properties(kafka);
            properties.put(StreamsConfig.POLL_MS_CONFIG, 50);
            properties.put(StreamsConfig.restoreConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 1);
            try (var streams = new KafkaStreams(topology(), properties, clients)) {
                streams.start();
                send(producer, 0, LATE);
                await().atMost(Duration.ofSeconds(30)).until(() -> stored(streams, LATE));
            }
            addToDatabase(MISSED);
            for (int i = 0; i < 3; i++) {
                producer.send(new ProducerRecord<>(CHANGELOG.topic(), 0, "more" + i, new byte[] {1}))
                        .get();
            }
            try (var streams = new KafkaStreams(topology(), properties, clients)) {
                streams.setGlobalStateRestoreListener(new FirstBatch());
                streams.start();
                await(OUT_OF_RANGE + ": the task goes on")
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> stored(streams, "more2"));
                assertThat(late).isTrue();
                assertThat(stored(streams, LATE))
                        .as("%s: all is read again", OUT_OF_RANGE)
                        .isTrue();
                assertThat(stored(streams, MISSED))
                        .as("%s: the state of the task is discarded", OUT_OF_RANGE)
                        .isFalse();
            }
        }
    }

    /** Lets an hour pass before the second poll of the changelog. */
    private final class FirstBatch implements StateRestoreListener {
        @Override
        public void onRestoreStart(TopicPartition partition, String store, long from, long to) {}

        @Override
        public void onBatchRestored(TopicPartition partition, String store, long end, long records) {
            late.set(true);
        }

        @Override
        public void onRestoreEnd(TopicPartition partition, String store, long records) {}
    }

    /** Whether the state has a key; false while it is not there. */
    private static boolean stored(KafkaStreams streams, String key) {
        try {
            return streams.store(StoreQueryParameters.fromNameAndType(
                                    LedgerStores.STORE, QueryableStoreTypes.<String, byte[]>keyValueStore()))
                            .get(key)
                    != null;
        } catch (InvalidStateStoreException e) {
            return false;
        }
    }

    private Path task(int partition) throws IOException {
        List<Path> tasks = TaskFolders.of(LedgerTestDriver.settings(folder).state(), ConsumerGroups.PROCESSOR);
        assertThat(tasks).as("%s: one for each task", FOLDERS).hasSizeGreaterThan(partition);
        return tasks.get(partition);
    }

    private void addToDatabase(String key) throws IOException, RocksDBException {
        List<Path> stores = TaskFolders.stores(task(0));
        assertThat(stores).as("%s: a database for each store", FOLDERS).hasSize(1);
        String store = stores.getFirst().toString();
        try (var options = new Options();
                var dbOptions = new DBOptions();
                var familyOptions = new ColumnFamilyOptions()) {
            List<ColumnFamilyDescriptor> families = RocksDB.listColumnFamilies(options, store).stream()
                    .map(name -> new ColumnFamilyDescriptor(name, familyOptions))
                    .toList();
            var handles = new ArrayList<ColumnFamilyHandle>();
            try (RocksDB database = RocksDB.open(dbOptions, store, families, handles)) {
                database.put(key.getBytes(UTF_8), new byte[] {1});
                handles.forEach(ColumnFamilyHandle::close);
            }
        }
    }

    private static long end(KafkaConsumer<String, byte[]> consumer, TopicPartition partition) {
        return Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
    }

    private static void send(KafkaProducer<String, byte[]> producer, int partition, String key) throws Exception {
        producer.send(new ProducerRecord<>(Topics.ACCOUNT_COMMANDS.name(), partition, key, new byte[] {1}))
                .get();
    }

    /** The number of records that are committed next. */
    private static int awaitCommitted(KafkaConsumer<String, byte[]> consumer) {
        return await(COMMITS + ": what a step asks for is committed between two polls")
                .pollDelay(Duration.ZERO)
                .atMost(Duration.ofSeconds(3))
                .until(() -> consumer.poll(Duration.ofMillis(50)).count(), n -> n > 0);
    }

    private Topology topology() {
        return new Topology()
                .addSource(
                        "source", new StringDeserializer(), new ByteArrayDeserializer(), Topics.ACCOUNT_COMMANDS.name())
                .addProcessor("step", Step::new, "source")
                .addStateStore(LedgerStores.builder(), "step")
                .addSink("sink", OUTPUT.topic(), new StringSerializer(), new ByteArraySerializer(), "step");
    }

    private Properties properties(TestKafka kafka) {
        var properties = new Properties();
        KafkaSettings settings = KafkaSettings.local(kafka.bootstrapServers(), 2, "millrace-1");
        properties.putAll(LedgerStreams.config(LedgerTestDriver.settings(folder).streams(), settings));
        properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 60_000);
        properties.put(StreamsConfig.POLL_MS_CONFIG, 4_000);
        properties.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 60_000);
        return properties;
    }

    private static KafkaProducer<String, byte[]> producer(TestKafka kafka) {
        return new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new ByteArraySerializer());
    }

    private static KafkaConsumer<String, byte[]> reader(TestKafka kafka) {
        return new KafkaConsumer<>(
                Map.<String, Object>of(
                        "bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
                new StringDeserializer(),
                new ByteArrayDeserializer());
    }
}
