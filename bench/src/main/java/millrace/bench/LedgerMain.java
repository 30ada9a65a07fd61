package millrace.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import millrace.processor.Processor;
import millrace.processor.ProcessorSettings;
import millrace.processor.StreamsRun;
import millrace.runtime.Management;
import millrace.runtime.ServiceMain;

/** The ledger, or in its place the {@link CopyTopology}, in a process of its own. Argument: which; then settings. */
final class LedgerMain {
    static final String SAYS = "runs: ";

    private LedgerMain() {}

    /** What runs. */
    enum Program {
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
            Management management = Management.start(given.management());
            return management.over(() -> {
                StreamsRun run =
                        switch (program) {
                            case LEDGER ->
                                Processor.ledger(
                                        own,
                                        given.kafka(),
                                        dataset -> Optional.of("v1"),
                                        management.registry(),
                                        onFatal);
                            case COPY -> StreamsRun.start(CopyTopology.of(), own, given.kafka(), onFatal);
                        };
                System.out.println(SAYS + program);
                return run;
            });
        });
    }
}
