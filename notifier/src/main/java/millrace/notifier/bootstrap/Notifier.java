package millrace.notifier.bootstrap;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.SequencedMap;
import java.util.function.Consumer;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import millrace.notifier.loop.NotifierEnvironment;
import millrace.notifier.loop.WebhookSecrets;
import millrace.notifier.versions.Subscribers;
import millrace.notifier.versions.VersionAnnouncer;
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
    private static final Duration ACCOUNTS_CHECK_PERIOD = Duration.ofMillis(200);

    private final WebhookSecrets secrets;
    private final WebhookSender sender;
    private final KafkaAvailability probe;
    private final NotifierRunner runner;
    private final VersionAnnouncer announcer;

    private Notifier(
            NotifierSettings settings,
            KafkaSettings kafka,
            WebhookSecrets secrets,
            Subscribers subscribers,
            MeterRegistry registry,
            Consumer<Throwable> onFatal) {
        ServiceThreads threads = ServiceThreads.ofMachine();
        this.secrets = secrets;
        this.sender = WebhookSender.start(
                settings.addresses(),
                settings.deadline(),
                threads.clock(),
                settings.senderThreads(Runtime.getRuntime().availableProcessors()));
        this.probe = KafkaAvailability.start(kafka);
        var environment =
                new NotifierEnvironment(threads, KafkaClientFactory.ofKafka(), new Random(), sender, secrets, registry);
        this.runner = NotifierRunner.start(settings, kafka, environment, onFatal);
        this.announcer = VersionAnnouncer.start(
                kafka, environment.clients(), threads, subscribers, () -> awaitRead(secrets), onFatal);
    }

    private static boolean awaitRead(WebhookSecrets secrets) {
        try {
            return secrets.awaitRead(ACCOUNTS_CHECK_PERIOD);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Starts a notifier that reads accounts from Kafka and uses the system clock.
     *
     * @param kafka Kafka, where the topics must exist
     * @param registry receives the metrics {@code millrace.webhook.…}
     * @param onFatal called at most once, after the notifier has failed; the process should end too
     * @throws SettingsException if the accounts file or the key cannot be used, or Kafka has deleted the group's
     *     committed offsets; the message is one line
     */
    public static Notifier start(
            NotifierSettings settings, KafkaSettings kafka, MeterRegistry registry, Consumer<Throwable> onFatal) {
        refuseToBeginAnew(kafka);
        AccountWebhookSecrets accounts = AccountWebhookSecrets.follow(settings, kafka, onFatal);
        return new Notifier(settings, kafka, accounts, accounts, registry, onFatal);
    }

    static Notifier start(
            NotifierSettings settings,
            KafkaSettings kafka,
            WebhookSecrets secrets,
            MeterRegistry registry,
            Consumer<Throwable> onFatal) {
        refuseToBeginAnew(kafka);
        return new Notifier(settings, kafka, secrets, Subscribers.NONE, registry, onFatal);
    }

    /** Without committed offsets the notifier would send, or give up, all events that Kafka still has. */
    private static void refuseToBeginAnew(KafkaSettings kafka) {
        ExpiredOffsetsCheck.refuse(
                kafka,
                ConsumerGroups.NOTIFIERS,
                Topics.DELIVERIES,
                List.of(Topics.WEBHOOK_ATTEMPTS, Topics.WEBHOOK_DEAD_LETTERS));
    }

    /** Whether the notifier has not failed. */
    public boolean alive() {
        return runner.alive();
    }

    /** Whether the notifier is a member of its group and has taken over all partitions that it was assigned. */
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

    /** Waits a moment for attempts under way, commits, and leaves the group. Takes at most 2 s. */
    @Override
    public void close() {
        announcer.close();
        runner.close();
        closeParts();
    }

    /** Stops as if the process had been killed: without a commit and without leaving the group. */
    void abandon() {
        announcer.close();
        runner.abandon();
        closeParts();
    }

    private void closeParts() {
        secrets.close();
        sender.close();
        probe.close();
    }
}
