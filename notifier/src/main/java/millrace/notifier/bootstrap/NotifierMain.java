package millrace.notifier.bootstrap;

import java.util.LinkedHashMap;
import java.util.Map;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import millrace.runtime.kafka.TopicCreation;
import millrace.runtime.management.ManagementServer;
import millrace.runtime.service.ServiceMain;
import millrace.runtime.settings.KafkaSettings;

/** Starts the notifier as a process. */
public final class NotifierMain {
    private static final String USAGE = """
            The notifier of Millrace: delivers webhooks.

            usage: notifier [--config file.yaml] [--accounts accounts.yaml] [--some.setting value]…
            """;

    private NotifierMain() {}

    public static void main(String[] arguments) {
        var sections = new LinkedHashMap<String, Class<?>>();
        sections.put("notifier", NotifierSettings.class);
        ServiceMain.run(USAGE, sections, Map.of("accounts", "notifier.accounts"), arguments, (settings, onFatal) -> {
            NotifierSettings own = settings.section("notifier", NotifierSettings.class);
            KafkaSettings kafka = settings.kafka();
            ManagementServer management = ManagementServer.start(settings.management());
            return management.startService(() -> {
                TopicCreation.ensure(kafka, Topics.ALL);
                Notifier notifier = Notifier.start(own, kafka, management.registry(), onFatal);
                management.add("notifier", notifier.health());
                var unused = management.publish(kafka);
                return notifier;
            });
        });
    }
}
