package millrace.bench.ledger;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import millrace.processor.bootstrap.Processor;
import millrace.processor.bootstrap.ProcessorSettings;
import millrace.processor.ledger.streams.LedgerStreams;
import millrace.processor.ledger.streams.StreamsSettings;
import millrace.runtime.management.ManagementServer;
import millrace.runtime.service.ServiceMain;

/**
 * Runs the ledger, or in its place the {@link CopyTopology}, as a process. Arguments: which, then
 * settings.
 */
public final class LedgerMain {
    /** Printed when it runs. */
    public static final String SAYS = "runs: ";

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
                return run;
            });
        });
    }

    /** The copy asks for no commit. */
    private static StreamsSettings copying(ProcessorSettings own) {
        return new StreamsSettings(own.state(), own.threads(), own.standbys(), own.commitInterval());
    }
}
