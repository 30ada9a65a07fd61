package millrace.notifier;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import millrace.contracts.Topics;
import millrace.runtime.KafkaSettings;
import millrace.runtime.ServiceMain;
import millrace.runtime.SettingsException;
import millrace.runtime.TopicCreation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The notifier as a process of its own. */
public final class NotifierMain {
    private static final String USAGE = """
            The notifier of Millrace: delivers webhooks.

            usage: notifier [--config file.yaml] [--accounts accounts.yaml] [--some.setting value]…
            """;

    private static final Logger LOG = LoggerFactory.getLogger(NotifierMain.class);

    private NotifierMain() {}

    public static void main(String[] arguments) {
        var sections = new LinkedHashMap<String, Class<?>>();
        sections.put("notifier", NotifierSettings.class);
        ServiceMain.run(USAGE, sections, Map.of("accounts", "notifier.accounts"), arguments, (settings, onFatal) -> {
            NotifierSettings own = settings.section("notifier", NotifierSettings.class);
            KafkaSettings kafka = settings.kafka();
            TopicCreation.ensure(kafka, Topics.ALL);
            var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            Notifier notifier = Notifier.start(own, kafka, registry, onFatal);
            return own.metricsPort() == null ? notifier : withServer(notifier, own.metricsPort(), registry);
        });
    }

    private static AutoCloseable withServer(Notifier notifier, int port, PrometheusMeterRegistry registry) {
        try {
            MetricsServer server = MetricsServer.start(port, registry, notifier);
            LOG.info("metrics on http://127.0.0.1:{}/metrics", server.port());
            return () -> {
                notifier.close();
                server.close();
            };
        } catch (IOException e) {
            notifier.close();
            throw new SettingsException("notifier.metrics-port " + port + " cannot be used: " + e.getMessage());
        }
    }
}
