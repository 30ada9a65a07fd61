package millrace.bench.ledger;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import millrace.processor.bootstrap.Processor;
import millrace.processor.bootstrap.ProcessorSettings;
import millrace.processor.ledger.streams.LedgerStreams;
import millrace.processor.ledger.streams.StreamsSettings;
import millrace.runtime.management.ManagementServer;
import millrace.runtime.service.ServiceMain;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Runs the ledger, or in its place the {@link CopyTopology}, as a process. Arguments: which, then
 * settings.
 */
public final class LedgerMain {
    /** Printed when it runs. */
    public static final String SAYS = "runs: ";
    /** Followed by the bytes that were read to restore the state, once it is. */
    static final String RESTORED = "restored: ";
    /** Said when this process has all of the state that it keeps, for itself or for others. */
    static final String HAS_ALL = "has all state";
    /** A transaction of others may be under way. */
    private static final long NEARLY_ALL = 10;

    private static final Duration LOOK = Duration.ofMillis(5);
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private LedgerMain() {}

    /** The topology to run. */
    public enum Program {
        LEDGER,
        COPY
    }

    @SuppressWarnings("SystemOut") // the parent reads it
    public static void main(String[] arguments) {
        Program program = Program.valueOf(arguments[0]);
        var sections = new LinkedHashMap<String, Class<?>>();
        sections.put(ProcessorSettings.PREFIX, ProcessorSettings.class);
        String[] settings = Arrays.copyOfRange(arguments, 1, arguments.length);
        ServiceMain.run("", sections, Map.of(), settings, (given, onFatal) -> {
            ProcessorSettings own = given.section(ProcessorSettings.PREFIX, ProcessorSettings.class);
            ManagementServer management = ManagementServer.start(given.management());
            return management.startService(() -> {
                LedgerStreams run =
                        switch (program) {
                            case LEDGER ->
                                Processor.ledger(
                                        own,
                                        given.kafka(),
                                        dataset -> Optional.of("v1"),
                                        management.registry(),
                                        onFatal);
                            case COPY -> LedgerStreams.start(CopyTopology.of(), copying(own), given.kafka(), onFatal);
                        };
                System.out.println(SAYS + program);
                Thread.ofPlatform().daemon().start(() -> report(run));
                return run;
            });
        });
    }

    @SuppressWarnings("SystemOut") // the parent reads it
    private static void report(LedgerStreams run) {
        while (run.state() != KafkaStreams.State.RUNNING) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
        System.out.printf(Locale.ROOT, "%s%.0f%n", RESTORED, ofRestore(run, "bytes-consumed-total"));
        while (run.behind().orElse(Long.MAX_VALUE) > NEARLY_ALL) {
            LockSupport.parkNanos(AGAIN.toNanos());
        }
        System.out.println(HAS_ALL);
    }

    /** A metric of the consumer that reads the changelog. */
    private static double ofRestore(LedgerStreams run, String metric) {
        return run.measured().entrySet().stream()
                .filter(m -> m.getKey().name().equals(metric)
                        && m.getKey().tags().size() == 1
                        && m.getKey().tags().getOrDefault("client-id", "").contains("restore-consumer"))
                .mapToDouble(m -> (double) m.getValue().metricValue())
                .filter(value -> !Double.isNaN(value))
                .sum();
    }

    /** The copy asks for no commit. */
    private static StreamsSettings copying(ProcessorSettings own) {
        return new StreamsSettings(own.state(), own.threads(), own.standbys(), own.commitInterval());
    }
}
