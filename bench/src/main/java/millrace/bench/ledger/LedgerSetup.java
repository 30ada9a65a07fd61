package millrace.bench.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.FlightRecording;
import millrace.bench.process.KafkaMain;
import millrace.bench.process.TemporaryFolders;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Runs a broker with commands, and a ledger, or the topology that it is compared with, that
 * processes them. The commands are written while nothing runs, so that no figure includes writing
 * them.
 */
public final class LedgerSetup implements AutoCloseable {
    /** Reports that have been requested and not answered. */
    private static final int IN_HAND = 200;

    /** How long a ledger may take to start, or to go on with the commands. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private final LedgerMain.Program program;
    private final LedgerCommands commands;
    private final FlightRecording profile;
    private final Path folder;
    private final ChildProcess kafka;
    private final String servers;
    private final Admin admin;
    private long requested;
    private long answered;
    private long written;

    public LedgerSetup(LedgerMain.Program program, LedgerCommands commands, FlightRecording profile)
            throws IOException, InterruptedException {
        this.program = program;
        this.commands = commands;
        this.profile = profile;
        this.folder = Files.createTempDirectory("millrace-bench");
        this.kafka = KafkaMain.start(folder.resolve("kafka"));
        this.servers = KafkaMain.servers(kafka);
        this.admin = Admin.create(Map.of("bootstrap.servers", servers));
    }

    /**
     * @param perSecond commands
     * @param cpu microseconds per command, of the measured process
     * @param brokerCpu microseconds per command, of Kafka
     * @param records written per command, including those of the changelog and the markers of
     *     transactions
     * @param peakMemory bytes, of the measured process
     */
    public record Figure(double perSecond, double cpu, double brokerCpu, double records, long peakMemory) {}

    /**
     * Starts a new process and waits until it has processed all commands of the round.
     *
     * @param warmUp commands that are not measured
     * @param measured least number of commands; rounded up to whole reports
     */
    public Figure round(int warmUp, int measured) throws IOException, InterruptedException {
        long before = done();
        write(warmUp + measured);
        try (ChildProcess child = start()) {
            Sample first = await(child, before + warmUp);
            Sample last = await(child, written);
            long peak = child.peakMemory();
            profile.dump(child, program.name().toLowerCase(java.util.Locale.ROOT));
            return last.since(first, peak);
        }
    }

    /**
     * Has a ledger decide so many more reports to their end, and ends it. No worker runs: the answers are written as
     * commands, too, and the files that they name do not exist. What the ledger hands out stays in the topics of tasks.
     * No round can follow.
     */
    public void end(int reports) throws IOException, InterruptedException {
        try (Producer<String, byte[]> producer = producer()) {
            grant(producer);
            for (long end = requested + reports; requested < end; ) {
                writeNext(producer);
            }
            while (answered < requested) {
                writeAnswer(producer);
            }
        }
        try (ChildProcess child = start()) {
            await(child, written);
            child.end(TIMEOUT);
        }
    }

    /** The folder of all that is made here; {@code state} in it is the ledger's. Deleted at the end. */
    public Path folder() {
        return folder;
    }

    /** Bootstrap servers of the broker. */
    public String servers() {
        return servers;
    }

    private ChildProcess start() throws IOException, InterruptedException {
        ChildProcess child = ChildProcess.start(
                LedgerMain.class,
                profile.with("-Xmx512m"),
                program.name(),
                "--processor.state=" + folder.resolve("state"),
                "--storage.link-secret=" + folder.resolve("link-secret"),
                "--kafka.bootstrap.servers=" + servers);
        child.await(LedgerMain.SAYS, TIMEOUT);
        return child;
    }

    /** Writes requests and the answers to those before them. */
    private void write(int count) {
        try (Producer<String, byte[]> producer = producer()) {
            long end = written + count;
            grant(producer);
            while (written < end) {
                writeNext(producer);
            }
        }
    }

    private Producer<String, byte[]> producer() {
        return KafkaMain.producer(servers, 20, 1 << 16);
    }

    /** Writes opening credits, once. */
    private void grant(Producer<String, byte[]> producer) {
        for (int account = 0; requested == 0 && account < commands.accounts(); account++) {
            send(producer, "a" + account, commands.grant(account));
        }
    }

    private void writeNext(Producer<String, byte[]> producer) {
        send(producer, commands.account(requested), commands.request(requested));
        requested++;
        if (requested - answered > IN_HAND) {
            writeAnswer(producer);
        }
    }

    private void writeAnswer(Producer<String, byte[]> producer) {
        send(producer, commands.account(answered), commands.done(answered));
        answered++;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // close waits for it, and what is lost is missed at the end
    private void send(Producer<String, byte[]> producer, String account, AccountCommand command) {
        producer.send(
                new ProducerRecord<>(Topics.ACCOUNT_COMMANDS.name(), account, Topics.ACCOUNT_COMMANDS.encode(command)));
        written++;
    }

    private record Sample(long done, long nanos, Duration cpu, Duration brokerCpu, long records) {
        Figure since(Sample first, long peakMemory) {
            double commands = done - first.done;
            return new Figure(
                    commands / ((nanos - first.nanos) / 1e9),
                    cpu.minus(first.cpu).toNanos() / 1e3 / commands,
                    brokerCpu.minus(first.brokerCpu).toNanos() / 1e3 / commands,
                    (records - first.records) / commands,
                    peakMemory);
        }
    }

    private Sample await(ChildProcess child, long commands) throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        long done = done();
        while (done < commands) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("only " + done + " of " + commands + " commands are done");
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
            long now = done();
            if (now > done) {
                deadline = System.nanoTime() + TIMEOUT.toNanos();
            }
            done = now;
        }
        return new Sample(done, System.nanoTime(), child.cpu(), kafka.cpu(), records());
    }

    /** Records of all topics but that of the commands. */
    private long records() throws InterruptedException {
        try {
            Set<String> names = new HashSet<>(admin.listTopics().names().get());
            names.remove(Topics.ACCOUNT_COMMANDS.name());
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            for (TopicDescription topic :
                    admin.describeTopics(names).allTopicNames().get().values()) {
                topic.partitions()
                        .forEach(p -> ends.put(new TopicPartition(topic.name(), p.partition()), OffsetSpec.latest()));
            }
            return admin.listOffsets(ends).all().get().values().stream()
                    .mapToLong(ListOffsetsResult.ListOffsetsResultInfo::offset)
                    .sum();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Committed offsets of the commands. */
    private long done() throws InterruptedException {
        try {
            return admin
                    .listConsumerGroupOffsets(ConsumerGroups.PROCESSOR)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .entrySet()
                    .stream()
                    .filter(e -> e.getKey().topic().equals(Topics.ACCOUNT_COMMANDS.name()))
                    .mapToLong(e -> e.getValue() == null ? 0 : e.getValue().offset())
                    .sum();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() throws IOException {
        admin.close();
        kafka.close();
        TemporaryFolders.delete(folder);
    }
}
