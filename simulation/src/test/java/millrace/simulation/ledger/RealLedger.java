package millrace.simulation.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import millrace.processor.bootstrap.ProcessorSettings;
import millrace.processor.ledger.streams.LedgerStreams;
import millrace.processor.ledger.streams.LedgerTransaction;
import millrace.processor.ledger.streams.LocalWorkers;
import millrace.processor.ledger.streams.ReportTopology;
import millrace.processor.ledger.streams.internals.LedgerClientSupplier;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.Settings;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;

/** The ledger in Kafka Streams on a real broker. Each process has a new state folder, so it restores all state. */
final class RealLedger implements ContractLedger {
    private static final TopicPartition COMMANDS = new TopicPartition(Topics.ACCOUNT_COMMANDS.name(), 0);

    private final TestKafka kafka = TestKafka.withTopics(1);
    private final Path folder;
    private int started;
    private @Nullable KafkaStreams streams;

    RealLedger(Path folder) {
        this.folder = folder;
    }

    @Override
    public void start(int crashAfter) {
        var transactions = LedgerTransaction.perThread(Duration.ofMillis(100), LocalWorkers.NONE);
        var steps = ContractLedger.steps(transactions, InstantSource.system(), crashAfter, () -> {
            throw new IllegalStateException("a crash");
        });
        var properties = new Properties();
        properties.putAll(LedgerStreams.config(
                settings().streams(), KafkaSettings.local(kafka.bootstrapServers(), 1, "millrace-1")));
        var clients = new LedgerClientSupplier(transactions, InstantSource.system());
        var starting = new KafkaStreams(ReportTopology.of(steps), properties, clients);
        starting.setUncaughtExceptionHandler(error -> StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
        starting.start();
        streams = starting;
    }

    private ProcessorSettings settings() {
        String state = folder.resolve("state" + started++).toString();
        return Settings.sectionOf(ProcessorSettings.PREFIX, ProcessorSettings.class, Map.of("processor.state", state));
    }

    @Override
    public void send(List<LedgerContractCommands.Command> commands) {
        try (var producer = new KafkaProducer<>(config(), new StringSerializer(), new ByteArraySerializer())) {
            commands.forEach(command -> {
                var unused = producer.send(new ProducerRecord<>(COMMANDS.topic(), command.account(), command.bytes()));
            });
        }
    }

    @Override
    public void awaitCrash() {
        await().atMost(Duration.ofSeconds(30)).until(() -> streams().state() == KafkaStreams.State.ERROR);
        streams().close();
    }

    @Override
    public void awaitCommitted(int commands) {
        try (Admin admin = Admin.create(config())) {
            await().atMost(Duration.ofSeconds(30)).until(() -> committedCommands(admin) >= commands);
        }
    }

    private static long committedCommands(Admin admin) throws InterruptedException, ExecutionException {
        OffsetAndMetadata offset = admin.listConsumerGroupOffsets(ConsumerGroups.PROCESSOR)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(COMMANDS);
        return offset == null ? 0 : offset.offset();
    }

    @Override
    public void stop() {
        assertThat(streams()
                        .close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                                .withTimeout(Duration.ofSeconds(20))))
                .isTrue();
    }

    @Override
    public List<ConsumerRecord<String, byte[]>> committed(String topic) {
        var partition = new TopicPartition(topic, 0);
        Map<String, Object> config = config();
        config.put("isolation.level", "read_committed");
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = Objects.requireNonNull(
                    consumer.endOffsets(List.of(partition)).get(partition));
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }

    private Map<String, Object> config() {
        return KafkaSettings.local(kafka.bootstrapServers(), 1, "test").clientConfig();
    }

    private KafkaStreams streams() {
        return Objects.requireNonNull(streams);
    }

    @Override
    public void close() {
        if (streams != null) {
            streams.close(Duration.ofSeconds(5));
        }
        kafka.close();
    }
}
