package millrace.bench.ledger;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import millrace.bench.process.BenchKafka;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Folders;
import millrace.bench.process.Output;
import millrace.bench.process.TopicSize;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Measures how long reports wait for a ledger that was killed, with many reports behind it that have ended: on its own
 * folder, without it, and with a copy in another process. The state is what the ledger's own code writes, put into
 * the changelog without superseded records.
 */
public final class RestoreBench {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String ONE = "ledger-1";
    private static final String TWO = "ledger-2";

    private final LedgerSetup setup;
    private final int recent;

    private RestoreBench(LedgerSetup setup, int recent) {
        this.setup = setup;
        this.recent = recent;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--reports 10000000 --accounts 1000 --keys true --recent 20000",
                "--reports 50000 --accounts 100 --recent 1000");
        var commands = new LedgerCommands(options.number("accounts"), false, false);
        try (var setup = new LedgerSetup(BenchKafka.start(), commands)) {
            new RestoreBench(setup, options.number("recent"))
                    .measure(options.number("reports"), Boolean.parseBoolean(options.text("keys")));
        }
    }

    private void measure(int reports, boolean keys) throws IOException, InterruptedException {
        setup.grant();
        try (ChildProcess first = ledger(ONE, 0)) {
            setup.awaitDecided();
            first.kill();
        }
        fill(reports, keys);
        long changelog = TopicSize.all(setup.kafka().admin())
                .getOrDefault(Topics.LEDGER_CHANGELOG, new TopicSize(0, 0))
                .bytes();
        Output.print("%,d reports: changelog %,d MB", reports, changelog >> 20);
        Folders.delete(setup.kafka().folder().resolve(ONE));
        ChildProcess ledger = restarted("no folder", ONE, 0);
        setup.run(recent, 0);
        setup.awaitDecided();
        ledger.kill();
        ledger = restarted("killed, folder kept", ONE, 0);
        setup.run(recent, 0);
        setup.awaitDecided();
        ledger.end(TIMEOUT);
        ledger = restarted("stopped, folder kept", ONE, 1);
        try (ChildProcess other = ledger(TWO, 1)) {
            String unused = other.await(LedgerMain.HAS_ALL, TIMEOUT);
            setup.run(recent, 0);
            setup.awaitDecided();
            ledger.kill();
            long killed = System.nanoTime();
            setup.requestInEach();
            setup.awaitDecided();
            print("killed, a copy elsewhere", killed, "");
        }
    }

    private ChildProcess ledger(String name, int standbys) throws IOException, InterruptedException {
        return setup.ledger(name, "--kafka.instance-id=" + name, "--processor.standbys=" + standbys);
    }

    /** Writes to the changelog what the ledger keeps of reports that have ended. No ledger may run. */
    private void fill(int reports, boolean keys) {
        Instant now = Instant.now();
        int partitions = setup.kafka().partitions();
        try (var producer = setup.kafka().producer(5, 1 << 18)) {
            for (int partition = 0; partition < partitions; partition++) {
                int current = partition;
                var rows = new EndedRows(partition, now);
                for (int report = 0; report < reports; report++) {
                    String account = setup.commands().account(report);
                    if (Topic.partition(account, partitions) == partition) {
                        rows.add(account, keys ? "key-" + report : null);
                    }
                }
                rows.forEach((key, row) -> {
                    var unused = producer.send(new ProducerRecord<>(Topics.LEDGER_CHANGELOG, current, key, row));
                });
            }
        }
    }

    /** Starts the ledger again while reports wait in each partition, and says when they are accepted. */
    private ChildProcess restarted(String how, String name, int standbys) throws IOException, InterruptedException {
        setup.requestInEach();
        long begin = System.nanoTime();
        ChildProcess ledger = ledger(name, standbys);
        setup.awaitDecided();
        String restored = ledger.await(LedgerMain.RESTORED, TIMEOUT);
        long bytes = Long.parseLong(restored.substring(LedgerMain.RESTORED.length()));
        print(how, begin, String.format(Locale.ROOT, ", %,d MB of the changelog read", bytes >> 20));
        return ledger;
    }

    private static void print(String how, long begin, String more) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        Output.print("%-26s reports are accepted after %.1f s%s", how, seconds, more);
    }
}
