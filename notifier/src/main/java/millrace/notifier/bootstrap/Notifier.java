package millrace.notifier.bootstrap;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.SequencedMap;
import java.util.function.Consumer;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import millrace.notifier.attempt.AccountWebhookSecrets;
import millrace.notifier.attempt.WebhookSecrets;
import millrace.notifier.ownership.NotifierClients;
import millrace.runtime.kafka.ExpiredOffsetsCheck;
import millrace.runtime.kafka.KafkaAvailability;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.management.Health;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import millrace.webhook.http.WebhookSender;

/** Delivers webhooks over HTTP until it is closed. Events are delivered at least once; repeats have the same id. */
public final class Notifier implements AutoCloseable {
    private final WebhookSecrets secrets;
    private final WebhookSender sender;
    private final KafkaAvailability probe;
    private final NotifierRunner runner;

    private Notifier(
            NotifierSettings settings,
            KafkaSettings kafka,
            WebhookSecrets secrets,
            MeterRegistry registry,
            Consumer<Throwable> onFatal) {
        ServiceThreads threads = ServiceThreads.ofMachine();
        this.secrets = secrets;
        this.sender = WebhookSender.start(settings.addresses(), settings.deadline(), threads.clock());
        this.probe = KafkaAvailability.start(kafka);
        var environment =
                new NotifierEnvironment(threads, KafkaClientFactory.ofKafka(), new Random(), sender, secrets, registry);
        this.runner = NotifierRunner.start(settings, kafka, environment, onFatal);
    }

    /** As the longer one, and measures for nobody. */
    public static Notifier start(NotifierSettings settings, KafkaSettings kafka, Consumer<Throwable> onFatal) {
        return start(settings, kafka, new SimpleMeterRegistry(), onFatal);
    }

    /**
     * With the accounts that Kafka has and the clock of this machine.
     *
     * @param kafka its topics must exist
     * @param registry gets the notifier's measurements, {@code millrace.webhook.…}
     * @param onFatal called at most once, where the notifier has ended by itself; the process should end too
     * @throws SettingsException in one line, where the accounts file or key cannot be used, or Kafka has forgotten what was sent
     */
    public static Notifier start(
            NotifierSettings settings, KafkaSettings kafka, MeterRegistry registry, Consumer<Throwable> onFatal) {
        refuseToBeginAnew(kafka);
        WebhookSecrets secrets = AccountWebhookSecrets.follow(settings, kafka, onFatal);
        return new Notifier(settings, kafka, secrets, registry, onFatal);
    }

    static Notifier start(
            NotifierSettings settings,
            KafkaSettings kafka,
            WebhookSecrets secrets,
            MeterRegistry registry,
            Consumer<Throwable> onFatal) {
        refuseToBeginAnew(kafka);
        return new Notifier(settings, kafka, secrets, registry, onFatal);
    }

    /** Everything that Kafka still has would be sent once more, or given up. */
    private static void refuseToBeginAnew(KafkaSettings kafka) {
        ExpiredOffsetsCheck.refuse(
                kafka,
                NotifierClients.GROUP,
                Topics.DELIVERIES,
                List.of(Topics.WEBHOOK_ATTEMPTS, Topics.WEBHOOK_DEAD_LETTERS));
    }

    /** Whether it has not ended by itself. */
    public boolean alive() {
        return runner.alive();
    }

    /** Whether it is a member of its group and has taken over the endpoints that it was assigned. */
    public boolean ready() {
        return runner.ready();
    }

    public Health health() {
        return new Health() {
            @Override
            public boolean alive() {
                return Notifier.this.alive();
            }

            @Override
            public SequencedMap<String, Boolean> checks() {
                var checks = new LinkedHashMap<String, Boolean>();
                checks.put("kafka", probe.isAvailable());
                checks.put("endpoints", Notifier.this.ready());
                return checks;
            }
        };
    }

    /** Lets attempts end for a moment, commits and hands over, within 2 s. */
    @Override
    public void close() {
        runner.close();
        closeParts();
    }

    /** As if the process were killed: nothing is committed, nobody is told. */
    void abandon() {
        runner.abandon();
        closeParts();
    }

    private void closeParts() {
        secrets.close();
        sender.close();
        probe.close();
    }
}
