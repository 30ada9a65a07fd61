package millrace.gateway;

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

/** The gateway as a process of its own. */
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
            Management management = Management.start(settings.management());
            return management.over(() -> {
                var disk = DiskSpace.watch(settings.disk(), own.folders(), management.registry());
                GatewayParts parts = GatewayParts.load(own, disk);
                var topics = Beside.begin("topics", () -> TopicCreation.ensure(kafka, Topics.ALL));
                Gateway gateway = Gateway.start(own, kafka, parts, management.registry(), topics::await);
                management.add("gateway", gateway.health());
                LOG.info(
                        "gateway started: {}, instance {}, Kafka {}",
                        gateway.address(),
                        kafka.instanceId(),
                        kafka.bootstrapServers());
                return gateway;
            });
        });
    }
}
