package millrace.processor.bootstrap;

import java.util.LinkedHashMap;
import java.util.Map;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.TopicCreation;
import millrace.runtime.management.DiskSpaceMonitor;
import millrace.runtime.management.ManagementServer;
import millrace.runtime.service.BackgroundTask;
import millrace.runtime.service.ServiceMain;
import millrace.runtime.settings.KafkaSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the processor as a process. */
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
            ManagementServer management = ManagementServer.start(settings.management());
            return management.startService(() -> {
                var disk = DiskSpaceMonitor.watch(settings.disk(), own.folders(), management.registry());
                var topics = BackgroundTask.start("topics", () -> TopicCreation.ensure(kafka, Topics.ALL));
                Processor processor = Processor.start(own, kafka, disk, management.registry(), topics::await, onFatal);
                management.add("processor", processor.health());
                var unused = management.publish(kafka);
                LOG.info("processor started instanceId={} kafka={}", kafka.instanceId(), kafka.bootstrapServers());
                return processor;
            });
        });
    }
}
