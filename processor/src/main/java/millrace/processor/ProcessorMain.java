package millrace.processor;

import java.util.LinkedHashMap;
import java.util.Map;
import millrace.contracts.Topics;
import millrace.runtime.KafkaSettings;
import millrace.runtime.ServiceMain;
import millrace.runtime.TopicCreation;

/** The processor as a process of its own. */
public final class ProcessorMain {
    private static final String USAGE = """
            The processor of Millrace: the ledger of credits, and the workers that render reports.

            usage: processor [--config file.yaml] [--some.setting value]…
            """;

    private ProcessorMain() {}

    public static void main(String[] arguments) {
        var sections = new LinkedHashMap<String, Class<?>>();
        sections.put(ProcessorSettings.PREFIX, ProcessorSettings.class);
        ServiceMain.run(USAGE, sections, Map.of(), arguments, (settings, onFatal) -> {
            ProcessorSettings own = settings.section(ProcessorSettings.PREFIX, ProcessorSettings.class);
            KafkaSettings kafka = settings.kafka();
            TopicCreation.ensure(kafka, Topics.ALL);
            return Processor.start(own, kafka, onFatal);
        });
    }
}
