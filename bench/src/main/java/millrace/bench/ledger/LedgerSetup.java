package millrace.bench.ledger;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import millrace.bench.process.BenchKafka;
import millrace.bench.process.ChildProcess;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A broker with commands of accounts, and ledgers that decide them, or the topology that they are compared with, as
 * processes. No worker runs: answers are commands, too, and the files that they name do not exist. What the ledger hands
 * out stays in the topics of tasks.
 */
public final class LedgerSetup implements AutoCloseable {
    /** How long a ledger may take to go on with the commands. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private static final Duration POLL = Duration.ofMillis(5);

    private final LedgerCommands commands;
    private final BenchKafka kafka;
    private long requested;
    private long answered;

    /** @param kafka which is closed with it */
    public LedgerSetup(BenchKafka kafka, LedgerCommands commands) {
        this.kafka = kafka;
        this.commands = commands;
    }

    public BenchKafka kafka() {
        return kafka;
    }

    public LedgerCommands commands() {
        return commands;
    }

    /** Writes opening credits of all accounts. */
    public void grant() {
        write(producer -> IntStream.range(0, commands.accounts())
                .forEach(account -> send(producer, "a" + account, commands.grant(account))));
    }

    /** Has reports requested and answered, of which the last ones stay without an answer. */
    public void run(int reports, int unanswered) {
        write(producer -> {
            for (int i = 0; i < reports; i++) {
                request(producer, requested++);
                for (; requested - answered > unanswered; answered++) {
                    send(producer, commands.account(answered), commands.done(answered));
                }
            }
        });
    }

    /** Requests a report in each partition; none of them is answered. */
    public void requestInEach() {
        write(producer -> {
            for (int partition = 0; partition < kafka.partitions(); partition++) {
                while (Topic.partition(commands.account(requested), kafka.partitions()) != partition) {
                    requested++;
                }
                request(producer, requested++);
            }
        });
        answered = requested;
    }

    /** Requests reports, also such as have been requested before. */
    public void request(LongStream reports) {
        write(producer -> reports.forEach(report -> request(producer, report)));
    }

    private void request(Producer<String, byte[]> producer, long report) {
        send(producer, commands.account(report), commands.request(report));
    }

    private void write(Consumer<Producer<String, byte[]>> writing) {
        try (var producer = kafka.producer(20, 1 << 16)) {
            writing.accept(producer);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // close waits for it, and what is lost is missed at the end
    private static void send(Producer<String, byte[]> producer, String account, AccountCommand command) {
        producer.send(
                new ProducerRecord<>(Topics.ACCOUNT_COMMANDS.name(), account, Topics.ACCOUNT_COMMANDS.encode(command)));
    }

    /** Starts a ledger, whose state is in a folder of the broker's folder, and waits until it runs. */
    public ChildProcess ledger(String state, String... settings) throws IOException, InterruptedException {
        return start(LedgerMain.Program.LEDGER, state, settings);
    }

    ChildProcess start(LedgerMain.Program program, String state, String... settings)
            throws IOException, InterruptedException {
        String[] arguments = Stream.concat(
                        Stream.of(
                                program.name(),
                                "--processor.state=" + kafka.folder().resolve(state),
                                "--storage.link-secret=" + kafka.folder().resolve("link-secret"),
                                "--kafka.partitions=" + kafka.partitions(),
                                "--kafka.bootstrap.servers=" + kafka.servers()),
                        Stream.of(settings))
                .toArray(String[]::new);
        ChildProcess child = ChildProcess.start(LedgerMain.class, List.of("-Xmx512m"), arguments);
        String unused = child.await(LedgerMain.SAYS, TIMEOUT);
        return child;
    }

    /** Waits until all commands are decided. */
    public void awaitDecided() throws InterruptedException {
        awaitUndecided(0);
    }

    /** Waits until no more than so many commands are not decided. */
    void awaitUndecided(long most) throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        long before = Long.MAX_VALUE;
        for (long left = undecided(); left > most; left = undecided()) {
            if (left < before) {
                before = left;
                deadline = System.nanoTime() + TIMEOUT.toNanos();
            } else if (System.nanoTime() > deadline) {
                throw new IllegalStateException(left + " commands are not decided");
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    long undecided() throws InterruptedException {
        return kafka.unread(ConsumerGroups.PROCESSOR, Topics.ACCOUNT_COMMANDS);
    }

    @Override
    public void close() throws IOException {
        kafka.close();
    }
}
