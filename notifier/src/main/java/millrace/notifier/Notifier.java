package millrace.notifier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import millrace.contracts.Topics;
import millrace.runtime.ConsumerLag;
import millrace.runtime.Health;
import millrace.runtime.KafkaProbe;
import millrace.runtime.KafkaSettings;
import millrace.runtime.SettingsException;
import millrace.webhook.WebhookSender;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers webhooks until it is closed. Events are delivered at least once; repeats have the same id. */
public final class Notifier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);
    private static final Duration CLOSING = Duration.ofSeconds(2);
    private static final Duration GLANCE = Duration.ofMillis(200);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    /** In a row, without one commit, of errors that waiting does not cure. */
    private static final int MAX_FAILURES = 5;

    /** How a life of the loop is to end. */
    private enum Ending {
        NOT_YET,
        ORDERLY,
        AT_ONCE
    }

    private final NotifierSettings settings;
    private final Clients clients;
    private final Secrets secrets;
    private final Surroundings surroundings;
    private final Consumer<Throwable> onFatal;
    private final WebhookSender sender;
    private final Thread thread;
    private final KafkaProbe probe;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile Ending ending = Ending.NOT_YET;
    private volatile @Nullable Mailbox mailbox;
    private volatile @Nullable DeliveryLoop loop;
    private volatile Supplier<Map<MetricName, ? extends Metric>> consumer = Map::of;

    private Notifier(
            NotifierSettings settings,
            KafkaSettings kafka,
            Secrets secrets,
            Surroundings surroundings,
            Consumer<Throwable> onFatal) {
        this.settings = settings;
        this.clients = new Clients(kafka);
        this.secrets = secrets;
        this.surroundings = surroundings;
        this.onFatal = onFatal;
        this.sender = WebhookSender.start(settings.addresses(), settings.deadline(), surroundings.clock());
        this.probe = KafkaProbe.start(kafka);
        this.thread = Thread.ofPlatform().name("notifier").daemon().unstarted(this::live);
    }

    /** As the longer one, and measures for nobody. */
    public static Notifier start(NotifierSettings settings, KafkaSettings kafka, Consumer<Throwable> onFatal) {
        return start(settings, kafka, new SimpleMeterRegistry(), onFatal);
    }

    /**
     * With the accounts that Kafka has and the clock of this machine.
     *
     * @param registry gets the notifier's measurements, {@code millrace.webhook.…}
     * @throws SettingsException in one line, where the accounts file or key cannot be used
     */
    public static Notifier start(
            NotifierSettings settings, KafkaSettings kafka, MeterRegistry registry, Consumer<Throwable> onFatal) {
        Secrets secrets = AccountSecrets.follow(settings, kafka, onFatal);
        return start(settings, kafka, secrets, InstantSource.system(), registry, onFatal);
    }

    /**
     * @param kafka its topics must exist
     * @param secrets of an account, the newest first; empty for an account that is unknown: its events go to the dead letters
     * @param registry gets the notifier's measurements
     * @param onFatal called at most once, where the notifier has ended by itself; the process should end too
     */
    public static Notifier start(
            NotifierSettings settings,
            KafkaSettings kafka,
            Function<String, List<String>> secrets,
            InstantSource clock,
            MeterRegistry registry,
            Consumer<Throwable> onFatal) {
        return start(settings, kafka, Secrets.of(secrets), clock, registry, onFatal);
    }

    private static Notifier start(
            NotifierSettings settings,
            KafkaSettings kafka,
            Secrets secrets,
            InstantSource clock,
            MeterRegistry registry,
            Consumer<Throwable> onFatal) {
        var surroundings = new Surroundings(clock, new Random(), new Figures(registry));
        var notifier = new Notifier(settings, kafka, secrets, surroundings, onFatal);
        ConsumerLag.register(registry, "notifier", Topics.DELIVERIES.name(), () -> notifier.consumer.get());
        LOG.info(
                "notifier started: group {}, instance {}, Kafka {}",
                Clients.GROUP,
                kafka.instanceId(),
                kafka.bootstrapServers());
        notifier.thread.start();
        return notifier;
    }

    /** Whether it has not ended by itself. */
    public boolean alive() {
        return ended.getCount() > 0;
    }

    /** Whether it is a member of its group and has taken over the endpoints that it was assigned. */
    public boolean ready() {
        DeliveryLoop current = loop;
        return alive() && current != null && current.ready();
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
                checks.put("kafka", probe.there());
                checks.put("endpoints", Notifier.this.ready());
                return checks;
            }
        };
    }

    /** Lets attempts end for a moment, commits and hands over, within 2 s. */
    @Override
    public void close() {
        end(Ending.ORDERLY);
    }

    /** As if the process were killed: nothing is committed, nobody is told. */
    void abandon() {
        end(Ending.AT_ONCE);
    }

    private void end(Ending how) {
        ending = how;
        Mailbox current = mailbox;
        if (current != null) {
            current.wake();
        }
        stopping.countDown();
        try {
            if (!ended.await(CLOSING.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("the notifier did not end within {}", CLOSING);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        secrets.close();
        sender.close();
        probe.close();
    }

    private void live() {
        try {
            int failures = 0;
            while (ending == Ending.NOT_YET && !secrets.awaitRead(GLANCE)) {
                LOG.debug("waiting for the accounts");
            }
            while (ending == Ending.NOT_YET) {
                failures = liveOnce(failures);
            }
        } catch (Throwable e) {
            LOG.error("the notifier cannot go on: {}", e.toString(), e);
            onFatal.accept(e);
        } finally {
            ended.countDown();
        }
    }

    /** Returns the failures in a row. */
    private int liveOnce(int failures) {
        DeliveryLoop life = null;
        try (var parts = new NotifierParts(settings, clients, surroundings, sender, secrets::of)) {
            consumer = parts::measured;
            mailbox = parts.mailbox();
            life = parts.loop();
            loop = life;
            life.run(() -> ending != Ending.NOT_YET);
            if (ending == Ending.ORDERLY) {
                life.leave();
            }
            return 0;
        } catch (KafkaException e) {
            if (ending != Ending.NOT_YET) {
                LOG.warn("the last commit failed, what it held is delivered again: {}", root(e).toString());
                return 0;
            }
            int inARow = life != null && life.commits() > 0 ? 1 : failures + 1;
            if (incurable(e) || (inARow > MAX_FAILURES && !(root(e) instanceof RetriableException))) {
                throw e;
            }
            LOG.warn("the notifier starts over from what Kafka has: {}", root(e).toString());
            pause();
            return inARow;
        }
    }

    private void pause() {
        try {
            stopping.await(PAUSE_AFTER_FAILURE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
    }

    /** A second process with this instance's name, or a client that is not let in. */
    private static boolean incurable(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            if (e instanceof FencedInstanceIdException
                    || e instanceof AuthorizationException
                    || e instanceof AuthenticationException
                    || e instanceof UnsupportedVersionException) {
                return true;
            }
        }
        return false;
    }

    private static Throwable root(Throwable error) {
        Throwable e = error;
        while (e.getCause() != null) {
            e = e.getCause();
        }
        return e;
    }
}
