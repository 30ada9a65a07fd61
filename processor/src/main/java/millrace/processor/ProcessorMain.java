package millrace.processor;

import java.util.LinkedHashMap;
import java.util.Map;
import millrace.contracts.Topics;
import millrace.runtime.Beside;
import millrace.runtime.DiskSpace;
import millrace.runtime.KafkaSettings;
import millrace.runtime.Management;
import millrace.runtime.ServiceMain;
import millrace.runtime.TopicCreation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The processor as a process of its own. */
public final class ProcessorMain {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessorMain.class);
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
            Management management = Management.start(settings.management());
            return management.over(() -> {
                var disk = DiskSpace.watch(settings.disk(), own.folders(), management.registry());
                var topics = Beside.begin("topics", () -> TopicCreation.ensure(kafka, Topics.ALL));
                Processor processor = Processor.start(own, kafka, disk, management.registry(), topics::await, onFatal);
                management.add("processor", processor.health());
                LOG.info("processor started: instance {}, Kafka {}", kafka.instanceId(), kafka.bootstrapServers());
                return processor;
            });
        });
    }
}
