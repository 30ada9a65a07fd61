package millrace.gateway.bootstrap;

import java.util.LinkedHashMap;
import java.util.Map;
import millrace.contracts.topics.Topics;
import millrace.gateway.settings.GatewaySettings;
import millrace.runtime.kafka.TopicCreation;
import millrace.runtime.management.DiskSpaceMonitor;
import millrace.runtime.management.ManagementServer;
import millrace.runtime.service.BackgroundTask;
import millrace.runtime.service.ServiceMain;
import millrace.runtime.settings.KafkaSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the gateway as a process of its own. */
public final class GatewayMain {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayMain.class);
    private static final String USAGE = """
            The gateway of Millrace: the REST service.

            usage: gateway [--config file.yaml] [--port 8080] [--some.setting value]…
            """;

    private GatewayMain() {}

    public static void main(String[] arguments) {
        var sections = new LinkedHashMap<String, Class<?>>();
        sections.put("gateway", GatewaySettings.class);
        ServiceMain.run(USAGE, sections, Map.of("port", "gateway.port"), arguments, (settings, onFatal) -> {
            GatewaySettings own = settings.section("gateway", GatewaySettings.class);
            KafkaSettings kafka = settings.kafka();
            ManagementServer management = ManagementServer.start(settings.management());
            return management.startService(() -> {
                var disk = DiskSpaceMonitor.watch(settings.disk(), own.folders(), management.registry());
                GatewayDependencies dependencies = GatewayDependencies.load(own, disk);
                var topics = BackgroundTask.start("topics", () -> TopicCreation.ensure(kafka, Topics.ALL));
                Gateway gateway = Gateway.start(own, kafka, dependencies, management.registry(), topics::await);
                management.add("gateway", gateway.health());
                var unused = management.publish(kafka);
                LOG.info(
                        "gateway started address={} instanceId={} kafka={}",
                        gateway.address(),
                        kafka.instanceId(),
                        kafka.bootstrapServers());
                return gateway;
            });
        });
    }
}
