package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.state.LedgerStores;
import millrace.runtime.settings.KafkaSettings;
import millrace.testing.TestKafka;
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
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks the assumptions of {@link LedgerClientSupplier} about Kafka Streams. By itself Streams would wait 4 s for
 * records here, and commit once a minute, so earlier commits show that the assumptions hold.
 */
class LedgerClientSupplierIT {
    private static final int COMMANDS = 20;
    private static final TopicPartition OUTPUT = new TopicPartition(Topics.CREDIT_LEDGER.name(), 0);
    /** Where tasks go that are not answered in time. */
    private static final TopicPartition HANDED_OUT = new TopicPartition(Topics.SMALL_REPORTS.name(), 0);

    private static final SliceRef SLICE = new SliceRef(new UUID(0, 1), 1, 0, 1);
    private static final String LATE = "late";

    /** Of an application that has the name of the ledger's. */
    private static final TopicPartition CHANGELOG = new TopicPartition(Topics.LEDGER_CHANGELOG, 0);

    private static final TopicPartition KEPT_BACK = new TopicPartition(Topics.ACCOUNT_STATE.name(), 0);

    @TempDir
    Path folder;

    private final LedgerClientSupplier clients = new LedgerClientSupplier(Duration.ofMillis(100), new Workers());
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
            transactions.add(clients.transaction());
            store = LedgerStores.store(context);
            commits = new CommitRequests(context, clients.transaction(), this::takeAnswers);
        }

        @Override
        public void process(Record<String, byte[]> record) {
            context().forward(record);
            store.put(record.key(), record.value());
            LedgerTransaction transaction = clients.transaction();
            assertThat(transaction.keepBack(new OutgoingRecord(KEPT_BACK.topic(), record)))
                    .isTrue();
            var task = new RenderTask.Assemble("acme", SLICE, List.of());
            var handed = new HandedTask(task, new OutgoingRecord(HANDED_OUT.topic(), record, task));
            boolean unused = transaction.handOver(this, handed);
            commits.decided();
        }

        private void takeAnswers() {
            for (AnsweredTask answered : clients.transaction().answered(this)) {
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

    @Test
    void everyTransactionIsSeenFromItsFlushToItsCommitAndEachCommitIsPrompt() throws Exception {
        try (TestKafka kafka = TestKafka.fresh();
                var producer = new KafkaProducer<>(
                        Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()),
                        new StringSerializer(),
                        new ByteArraySerializer());
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
                    assertThat(records).as("the command and its answer").isEqualTo(2);
                    committed += records;
                }
                assertThat(end(consumer, HANDED_OUT)).isZero();
                assertThat(end(consumer, CHANGELOG))
                        .as("no key was left at the end of its transaction")
                        .isZero();
                send(producer, 0, LATE);
                committed += awaitCommitted(consumer);
                assertThat(end(consumer, HANDED_OUT))
                        .as("a record and a marker")
                        .isEqualTo(2);
                assertThat(end(consumer, CHANGELOG)).as("a key and a marker").isEqualTo(2);
                assertThat(withdrawn.get()).isEqualTo(1);
                streams.close(Duration.ZERO);
                send(producer, 0, "acme"); // ends the wait for records
            }
            committed += consumer.poll(Duration.ofMillis(500)).count();
            assertThat(transactions).as("both tasks run in one thread").hasSize(2);
            LedgerTransaction transaction = transactions.remove();
            assertThat(transactions.remove()).isSameAs(transaction);
            // Each transaction that writes to a partition leaves one marker there.
            long commits = end(consumer, OUTPUT) - committed;
            assertThat(commits).isPositive();
            assertThat(end(consumer, KEPT_BACK))
                    .as("one record and one marker each")
                    .isEqualTo(2 * commits);
            assertThat(transaction.rest()).as("a commit's time is taken").isLessThan(Duration.ofSeconds(5));
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
        return await().pollDelay(Duration.ZERO)
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

    private static KafkaConsumer<String, byte[]> reader(TestKafka kafka) {
        return new KafkaConsumer<>(
                Map.<String, Object>of(
                        "bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
                new StringDeserializer(),
                new ByteArrayDeserializer());
    }
}
