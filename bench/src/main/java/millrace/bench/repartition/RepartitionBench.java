package millrace.bench.repartition;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import millrace.bench.ledger.LedgerCommands;
import millrace.bench.ledger.LedgerMain;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.KafkaMain;
import millrace.bench.process.TemporaryFolders;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import millrace.processor.repartition.RepartitionCommand;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Measures a change of the number of partitions: time, memory and space, and compares all topics before and after. The
 * reports are decided by the ledger, each with an Idempotency-Key and two webhooks that wait. Afterwards the ledger
 * starts on the new partitions; it must know repeated requests, and decide new ones.
 */
public final class RepartitionBench {
    /** Reports that have been requested and not answered. */
    private static final int IN_HAND = 200;

    private static final int REPEATED = 1000;
    private static final Duration TIMEOUT = Duration.ofMinutes(60);
    private static final Duration POLL = Duration.ofMillis(50);

    private final Path folder;
    private final String servers;
    private final LedgerCommands commands;

    private RepartitionBench(Path folder, String servers, LedgerCommands commands) {
        this.folder = folder;
        this.servers = servers;
        this.commands = commands;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        var options = BenchOptions.parse(
                arguments,
                "--reports 1000000 --accounts 1000 --from 4 --to 16 --heap 512m",
                "--reports 5000 --accounts 50");
        Path folder = Files.createTempDirectory("millrace-bench");
        try (ChildProcess kafka = KafkaMain.start(folder.resolve("kafka"), 0, options.number("from"), "-Xmx512m")) {
            var commands = new LedgerCommands(options.number("accounts"), true);
            new RepartitionBench(folder, KafkaMain.servers(kafka), commands).measure(options);
        } finally {
            TemporaryFolders.delete(folder);
        }
    }

    @SuppressWarnings("SystemOut")
    private void measure(BenchOptions options) throws IOException, InterruptedException, ExecutionException {
        int reports = options.number("reports");
        fill(reports);
        long began = System.nanoTime();
        try (ChildProcess ledger = ledger(options.number("from"))) {
            awaitDecided();
            ledger.end(Duration.ofMinutes(1));
        }
        System.out.printf(Locale.ROOT, "%,d reports are decided after %.0f s%n", reports, seconds(began));
        Map<String, TopicContents.Content> before = TopicContents.read(servers);
        long bytes = bytes();

        began = System.nanoTime();
        long peak = repartition(options, "All topics have", "--partitions", options.text("to"));
        double took = seconds(began);
        long records = before.values().stream()
                .mapToLong(TopicContents.Content::number)
                .sum();
        System.out.printf(
                Locale.ROOT,
                "from %s to %s partitions: %.0f s, %,.0f of %,d records and keys a second; peak memory %,d MB at -Xmx%s;"
                        + " Kafka's folder had %,d MB and has %,d MB%n",
                options.text("from"),
                options.text("to"),
                took,
                records / took,
                records,
                peak >> 20,
                options.text("heap"),
                bytes >> 20,
                bytes() >> 20);
        Map<String, TopicContents.Content> after = TopicContents.read(servers);
        before.forEach((topic, content) -> System.out.printf(
                Locale.ROOT,
                "  %-42s %,12d %s%n",
                topic,
                content.number(),
                content.equals(after.get(topic)) ? "the same" : "DIFFERS: " + after.get(topic)));
        if (!after.equals(before)) {
            throw new IllegalStateException("the topics differ");
        }
        began = System.nanoTime();
        repeat(reports);
        try (ChildProcess ledger = ledger(options.number("to"))) {
            awaitDecided();
            System.out.printf(
                    Locale.ROOT,
                    "the ledger has restored its state and decided %,d commands after %.1f s%n",
                    2 * REPEATED,
                    seconds(began));
            ledger.end(Duration.ofMinutes(1));
        }
        long more = TopicContents.read(servers)
                        .getOrDefault(Topics.CREDIT_LEDGER.name(), new TopicContents.Content(0, 0))
                        .number()
                - before.getOrDefault(Topics.CREDIT_LEDGER.name(), new TopicContents.Content(0, 0))
                        .number();
        if (more != REPEATED) {
            throw new IllegalStateException(REPEATED + " new reports were to be reserved, and not " + more);
        }
        long unused = repartition(options, "are deleted", "--confirm");
        System.out.printf(Locale.ROOT, "confirmed; Kafka's folder has %,d MB%n", bytes() >> 20);
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }

    private void fill(int reports) {
        write(producer -> {
            for (int account = 0; account < commands.accounts(); account++) {
                send(producer, "a" + account, commands.grant(account));
            }
            for (long report = 0; report < reports; report++) {
                send(producer, commands.account(report), commands.requestOnce(report));
                if (report >= IN_HAND) {
                    send(producer, commands.account(report - IN_HAND), commands.done(report - IN_HAND));
                }
            }
        });
    }

    /** Requests that are known, each with one that is not. */
    private void repeat(int reports) {
        write(producer -> {
            for (long report = 0; report < REPEATED; report++) {
                long known = report * 7919 % reports;
                send(producer, commands.account(known), commands.requestOnce(known));
                send(producer, commands.account(reports + report), commands.requestOnce(reports + report));
            }
        });
    }

    private void write(Consumer<Producer<String, byte[]>> writing) {
        try (var producer = KafkaMain.producer(servers, 20, 1 << 16)) {
            writing.accept(producer);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // close waits for it, and what is lost is missed at the end
    private static void send(Producer<String, byte[]> producer, String account, AccountCommand command) {
        producer.send(
                new ProducerRecord<>(Topics.ACCOUNT_COMMANDS.name(), account, Topics.ACCOUNT_COMMANDS.encode(command)));
    }

    private ChildProcess ledger(int partitions) throws IOException, InterruptedException {
        ChildProcess ledger = ChildProcess.start(
                LedgerMain.class,
                List.of("-Xmx512m"),
                LedgerMain.Program.LEDGER.name(),
                "--processor.state=" + folder.resolve("state"),
                "--storage.link-secret=" + folder.resolve("link-secret"),
                "--kafka.partitions=" + partitions,
                "--kafka.bootstrap.servers=" + servers);
        String unused = ledger.await(LedgerMain.SAYS, TIMEOUT);
        return ledger;
    }

    private void awaitDecided() throws InterruptedException, ExecutionException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            while (!Decided.all(admin, ConsumerGroups.PROCESSOR, Topics.ACCOUNT_COMMANDS.name())) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("the ledger has not decided all commands");
                }
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
    }

    /** Returns the peak memory. */
    private long repartition(BenchOptions options, String says, String... what)
            throws IOException, InterruptedException {
        String[] arguments =
                Stream.concat(Stream.of("--kafka", servers), Stream.of(what)).toArray(String[]::new);
        try (ChildProcess command =
                ChildProcess.start(RepartitionCommand.class, List.of("-Xmx" + options.text("heap")), arguments)) {
            long peak = 0;
            while (command.alive()) {
                peak = Math.max(peak, command.peakMemory());
                LockSupport.parkNanos(POLL.toNanos());
            }
            String unused = command.await(says, Duration.ofSeconds(10));
            return peak;
        }
    }

    private long bytes() {
        try (Stream<Path> files = Files.walk(folder.resolve("kafka"))) {
            return files.mapToLong(
                            file -> file.toFile().isFile() ? file.toFile().length() : 0)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
