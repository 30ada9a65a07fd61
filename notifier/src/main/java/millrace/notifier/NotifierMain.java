package millrace.notifier;

import java.util.LinkedHashMap;
import java.util.Map;
import millrace.contracts.Topics;
import millrace.runtime.KafkaSettings;
import millrace.runtime.Management;
import millrace.runtime.ServiceMain;
import millrace.runtime.TopicCreation;

/** The notifier as a process of its own. */
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
            Management management = Management.start(settings.management());
            return management.over(() -> {
                TopicCreation.ensure(kafka, Topics.ALL);
                Notifier notifier = Notifier.start(own, kafka, management.registry(), onFatal);
                management.add("notifier", notifier.health());
                return notifier;
            });
        });
    }
}
