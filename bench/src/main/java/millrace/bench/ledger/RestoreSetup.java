package millrace.bench.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.KafkaMain;
import millrace.bench.process.TemporaryFolders;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.state.LedgerStores;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** A broker, and ledgers as processes that may be killed. */
final class RestoreSetup implements AutoCloseable {
    private static final String CHANGELOG = ConsumerGroups.PROCESSOR + "-" + LedgerStores.STORE + "-changelog";
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

    private final LedgerCommands commands;
    private final Path folder;
    private final ChildProcess kafka;
    private final String servers;
    private final Admin admin;
    private final int partitions;
    private final KafkaProducer<String, byte[]> producer;
    /** Commands that were sent, by partition. */
    private final Map<Integer, Long> sent = new HashMap<>();

    private long requested;

    RestoreSetup(LedgerCommands commands) throws IOException, InterruptedException {
        this.commands = commands;
        this.folder = Files.createTempDirectory("millrace-bench");
        this.kafka = KafkaMain.start(folder.resolve("kafka"));
        this.servers = KafkaMain.servers(kafka);
        this.admin = Admin.create(Map.of("bootstrap.servers", servers));
        this.partitions = partitions();
        this.producer = KafkaMain.producer(servers, 5, 1 << 18);
    }

    private int partitions() throws InterruptedException {
        try {
            List<String> topic = List.of(Topics.ACCOUNT_COMMANDS.name());
            return admin.describeTopics(topic).allTopicNames().get().values().stream()
                    .mapToInt(described -> described.partitions().size())
                    .sum();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /**
     * Starts a ledger.
     *
     * @param name of its process and of its folder
     */
    ChildProcess ledger(String name, int standbys) throws IOException {
        return ChildProcess.start(
                LedgerMain.class,
                List.of("-Xmx512m"),
                LedgerMain.Program.LEDGER.name(),
                "--processor.state=" + state(name),
                "--processor.standbys=" + standbys,
                "--storage.link-secret=" + folder.resolve("link-secret"),
                "--kafka.instance-id=" + name,
                "--kafka.bootstrap.servers=" + servers);
    }

    private Path state(String name) {
        return folder.resolve("state-" + name);
    }

    void wipe(String name) throws IOException {
        TemporaryFolders.delete(state(name));
    }

    /** Writes to the changelog what the ledger keeps of reports that have ended. No ledger may run. */
    void fill(int reports, boolean keys) {
        Instant now = Instant.now();
        for (int partition = 0; partition < partitions; partition++) {
            int current = partition;
            var rows = new EndedRows(partition, now);
            for (int report = 0; report < reports; report++) {
                String account = commands.account(report);
                if (Topic.partition(account, partitions) == partition) {
                    rows.add(account, keys ? "key-" + report : null);
                }
            }
            rows.forEach((key, row) -> {
                var unused = producer.send(new ProducerRecord<>(CHANGELOG, current, key, row));
            });
        }
        producer.flush();
    }

    /** Grants credits to all accounts. */
    void grant() {
        for (int account = 0; account < commands.accounts(); account++) {
            send(producer, "a" + account, commands.grant(account));
        }
        producer.flush();
    }

    /** Has reports requested and answered. */
    void run(int reports) {
        for (int i = 0; i < reports; i++) {
            send(producer, commands.account(requested), commands.request(requested));
            send(producer, commands.account(requested), commands.done(requested));
            requested++;
        }
        producer.flush();
    }

    /** Requests a report in each partition. */
    void request() {
        IntStream.range(0, partitions).forEach(partition -> {
            while (Topic.partition(commands.account(requested), partitions) != partition) {
                requested++;
            }
            send(producer, commands.account(requested), commands.request(requested));
            requested++;
        });
        producer.flush();
    }

    private void send(Producer<String, byte[]> by, String account, AccountCommand command) {
        var unused = by.send(
                new ProducerRecord<>(Topics.ACCOUNT_COMMANDS.name(), account, Topics.ACCOUNT_COMMANDS.encode(command)));
        sent.merge(Topic.partition(account, partitions), 1L, Long::sum);
    }

    /** Waits until all that was sent is decided. */
    void awaitDecided() throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!isDecided()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("commands are not decided within " + TIMEOUT);
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }

    private boolean isDecided() throws InterruptedException {
        try {
            Map<TopicPartition, OffsetAndMetadata> offsets = admin.listConsumerGroupOffsets(ConsumerGroups.PROCESSOR)
                    .partitionsToOffsetAndMetadata()
                    .get();
            return sent.entrySet().stream().allMatch(partition -> {
                OffsetAndMetadata offset =
                        offsets.get(new TopicPartition(Topics.ACCOUNT_COMMANDS.name(), partition.getKey()));
                return offset != null && offset.offset() >= partition.getValue();
            });
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Size of the changelog on the broker's disk, in bytes. */
    long changelog() throws InterruptedException {
        try {
            return admin.describeLogDirs(List.of(1)).allDescriptions().get().values().stream()
                    .flatMap(dirs -> dirs.values().stream())
                    .flatMap(dir -> dir.replicaInfos().entrySet().stream())
                    .filter(replica -> replica.getKey().topic().equals(CHANGELOG))
                    .mapToLong(replica -> replica.getValue().size())
                    .sum();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() throws IOException {
        producer.close();
        admin.close();
        kafka.close();
        TemporaryFolders.delete(folder);
    }
}
