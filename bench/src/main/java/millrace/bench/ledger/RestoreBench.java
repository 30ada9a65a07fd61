package millrace.bench.ledger;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;

/**
 * Measures how long reports wait for a ledger that was killed, with many reports behind it that have ended: on its own
 * folder, without it, and where another process keeps a copy. The state is what the ledger's own code writes, put into
 * the changelog without superseded records.
 */
public final class RestoreBench {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String ONE = "ledger-1";
    private static final String TWO = "ledger-2";

    private final RestoreSetup setup;
    private final int recent;

    private RestoreBench(RestoreSetup setup, int recent) {
        this.setup = setup;
        this.recent = recent;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--reports 10000000 --accounts 1000 --keys true --recent 20000",
                "--reports 50000 --accounts 100 --recent 1000");
        var commands = new LedgerCommands(options.number("accounts"), false);
        try (var setup = new RestoreSetup(commands)) {
            new RestoreBench(setup, options.number("recent"))
                    .measure(options.number("reports"), Boolean.parseBoolean(options.text("keys")));
        }
    }

    @SuppressWarnings("SystemOut")
    private void measure(int reports, boolean keys) throws IOException, InterruptedException {
        setup.grant();
        try (ChildProcess first = setup.ledger(ONE, 0)) {
            setup.awaitDecided();
            first.kill();
        }
        setup.fill(reports, keys);
        System.out.printf(Locale.ROOT, "%,d reports: changelog %,d MB%n", reports, setup.changelog() >> 20);

        setup.wipe(ONE);
        ChildProcess ledger = restarted("no folder", ONE, 0);
        setup.run(recent);
        setup.awaitDecided();
        ledger.kill();
        ledger = restarted("killed, folder kept", ONE, 0);
        setup.run(recent);
        setup.awaitDecided();
        ledger.end(TIMEOUT);
        ledger = restarted("stopped, folder kept", ONE, 1);
        try (ChildProcess other = setup.ledger(TWO, 1)) {
            other.await(LedgerMain.HAS_ALL, TIMEOUT);
            setup.run(recent);
            setup.awaitDecided();
            ledger.kill();
            long killed = System.nanoTime();
            setup.request();
            setup.awaitDecided();
            print("killed, a copy elsewhere", killed, "");
        }
    }

    /** Starts the ledger again while reports wait in each partition, and says when they are accepted. */
    private ChildProcess restarted(String how, String name, int standbys) throws IOException, InterruptedException {
        setup.request();
        long begin = System.nanoTime();
        ChildProcess ledger = setup.ledger(name, standbys);
        setup.awaitDecided();
        String restored = ledger.await(LedgerMain.RESTORED, TIMEOUT);
        long bytes = Long.parseLong(restored.substring(LedgerMain.RESTORED.length()));
        print(how, begin, String.format(Locale.ROOT, ", %,d MB of the changelog read", bytes >> 20));
        return ledger;
    }

    @SuppressWarnings("SystemOut")
    private static void print(String how, long begin, String more) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.printf(Locale.ROOT, "%-26s reports are accepted after %.1f s%s%n", how, seconds, more);
    }
}
