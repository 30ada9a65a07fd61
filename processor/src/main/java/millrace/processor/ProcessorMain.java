package millrace.processor;

import java.util.LinkedHashMap;
import java.util.Map;
import millrace.runtime.ServiceMain;

/** The processor as a process of its own. */
public final class ProcessorMain {
    private static final String USAGE = """
            Millrace processor: keeps the ledger of every account and renders reports.
            Usage: processor [--config file.yaml] [--key=value]…, every setting also as MILLRACE_KEY in the environment.
            """;

    private ProcessorMain() {}

    public static void main(String[] arguments) {
        var sections = new LinkedHashMap<String, Class<?>>();
        sections.put(ProcessorSettings.PREFIX, ProcessorSettings.class);
        ServiceMain.run(
                USAGE,
                sections,
                Map.of(),
                arguments,
                (settings, onFatal) -> Processor.start(
                        settings.section(ProcessorSettings.PREFIX, ProcessorSettings.class),
                        settings.kafka(),
                        onFatal));
    }
}
