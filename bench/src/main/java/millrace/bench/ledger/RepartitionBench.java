package millrace.bench.ledger;

import static millrace.bench.process.Output.print;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import millrace.bench.process.BenchKafka;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Folders;
import millrace.contracts.topics.Topics;
import millrace.gateway.admin.command.AdminMain;

/**
 * Measures a change of the number of partitions: time, memory and space. The reports are decided by the ledger, each
 * with an Idempotency-Key and two webhooks that wait. Afterwards the ledger starts on the new partitions; it must know
 * repeated requests, and decide new ones.
 */
public final class RepartitionBench {
    /** Reports that have been requested and not answered. */
    private static final int IN_HAND = 200;

    private static final int REPEATED = 1000;
    private static final Duration POLL = Duration.ofMillis(50);

    private final BenchOptions options;
    private final LedgerSetup setup;
    private final BenchKafka kafka;

    private RepartitionBench(BenchOptions options, LedgerSetup setup) {
        this.options = options;
        this.setup = setup;
        this.kafka = setup.kafka();
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--reports 1000000 --accounts 1000 --from 4 --to 16 --heap 512m",
                "--reports 5000 --accounts 50");
        var commands = new LedgerCommands(options.number("accounts"), true, true);
        try (var setup = new LedgerSetup(BenchKafka.start(options.number("from"), "512m"), commands)) {
            new RepartitionBench(options, setup).measure();
        }
    }

    private void measure() throws IOException, InterruptedException {
        int reports = options.number("reports");
        setup.grant();
        setup.run(reports, IN_HAND);
        print("%,d reports are decided after %.0f s", reports, decide());
        long before = entries();
        long bytes = bytes();
        long began = System.nanoTime();
        long peak = repartition("All topics have", "--partitions", options.text("to"));
        print(
                "from %s to %s partitions: %.0f s; peak memory %,d MB at -Xmx%s; Kafka's folder had %,d MB and has %,d MB",
                options.text("from"),
                options.text("to"),
                seconds(began),
                peak >> 20,
                options.text("heap"),
                bytes >> 20,
                bytes() >> 20);
        kafka.repartitioned(options.number("to"));
        // Reports that are known, and others.
        setup.request(LongStream.range(0, REPEATED).map(report -> report * 7919 % reports));
        setup.request(LongStream.range(reports, (long) reports + REPEATED));
        print("the ledger has restored its state and decided %,d commands after %.1f s", 2 * REPEATED, decide());
        long more = entries() - before;
        if (more != REPEATED) {
            throw new IllegalStateException(REPEATED + " new reports were to be reserved, and not " + more);
        }
        long unused = repartition("are deleted", "--confirm");
        print("confirmed; Kafka's folder has %,d MB", bytes() >> 20);
    }

    /** Of all accounts' ledgers. */
    private long entries() {
        var number = new AtomicLong();
        kafka.forEach(Topics.CREDIT_LEDGER.name(), entry -> number.incrementAndGet());
        return number.get();
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }

    /** Has a ledger decide all commands; returns the seconds that it took with its start. */
    private double decide() throws IOException, InterruptedException {
        long began = System.nanoTime();
        try (ChildProcess ledger = setup.ledger("state")) {
            setup.awaitDecided();
            double took = seconds(began);
            ledger.end(Duration.ofMinutes(1));
            return took;
        }
    }

    /** Returns the peak memory. */
    private long repartition(String says, String... what) throws IOException, InterruptedException {
        String[] arguments = Stream.concat(Stream.of("repartition", "--kafka", kafka.servers()), Stream.of(what))
                .toArray(String[]::new);
        try (ChildProcess command =
                ChildProcess.start(AdminMain.class, List.of("-Xmx" + options.text("heap")), arguments)) {
            long peak = 0;
            while (command.alive()) {
                peak = Math.max(peak, command.peakMemory());
                LockSupport.parkNanos(POLL.toNanos());
            }
            String unused = command.await(says, Duration.ofSeconds(10));
            return peak;
        }
    }

    private long bytes() throws IOException {
        return Folders.bytes(kafka.folder().resolve("kafka"));
    }
}
