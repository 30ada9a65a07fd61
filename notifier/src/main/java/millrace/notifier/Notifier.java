package millrace.notifier;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import millrace.runtime.AccountsFile;
import millrace.runtime.KafkaSettings;
import millrace.runtime.SettingsException;
import millrace.webhook.AllowedAddresses;
import millrace.webhook.WebhookSender;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
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
    private final Function<String, List<String>> secrets;
    private final InstantSource clock;
    private final Consumer<Throwable> onFatal;
    private final WebhookSender sender;
    private final Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile Ending ending = Ending.NOT_YET;
    private volatile @Nullable Mailbox mailbox;

    private Notifier(
            NotifierSettings settings,
            KafkaSettings kafka,
            Function<String, List<String>> secrets,
            InstantSource clock,
            Consumer<Throwable> onFatal) {
        this.settings = settings;
        this.clients = new Clients(kafka);
        this.secrets = secrets;
        this.clock = clock;
        this.onFatal = onFatal;
        this.sender = WebhookSender.start(
                AllowedAddresses.publicAnd(settings.allowedAddresses()), settings.deadline(), clock);
        this.thread = Thread.ofPlatform().name("notifier").daemon().unstarted(this::live);
    }

    /**
     * With the accounts file and the clock of this machine.
     *
     * @throws SettingsException in one line, where the accounts file cannot be used
     */
    public static Notifier start(NotifierSettings settings, KafkaSettings kafka, Consumer<Throwable> onFatal) {
        AccountsFile accounts = AccountsFile.read(settings.accounts());
        return start(settings, kafka, accounts::webhookSecrets, InstantSource.system(), onFatal);
    }

    /**
     * @param kafka its topics must exist
     * @param secrets of an account, the newest first; empty for an account that is unknown: its events go to the dead letters
     * @param onFatal called at most once, where the notifier has ended by itself; the process should end too
     */
    public static Notifier start(
            NotifierSettings settings,
            KafkaSettings kafka,
            Function<String, List<String>> secrets,
            InstantSource clock,
            Consumer<Throwable> onFatal) {
        var notifier = new Notifier(settings, kafka, secrets, clock, onFatal);
        LOG.info(
                "notifier started: group {}, instance {}, Kafka {}",
                Clients.GROUP,
                kafka.instanceId(),
                kafka.bootstrapServers());
        notifier.thread.start();
        return notifier;
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
        sender.close();
    }

    private void live() {
        try {
            int failures = 0;
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
        DeliveryLoop loop = null;
        try (var consumer = new Closing(clients.groupMember());
                Outbox outbox = new Outbox(clients.producer())) {
            loop = loop(consumer.consumer(), outbox);
            loop.run(() -> ending != Ending.NOT_YET);
            if (ending == Ending.ORDERLY) {
                loop.leave();
            }
            return 0;
        } catch (KafkaException e) {
            if (ending != Ending.NOT_YET) {
                LOG.warn("the last commit failed, what it held is delivered again: {}", root(e).toString());
                return 0;
            }
            int inARow = loop != null && loop.commits() > 0 ? 1 : failures + 1;
            if (incurable(e) || (inARow > MAX_FAILURES && !(root(e) instanceof RetriableException))) {
                throw e;
            }
            LOG.warn("the notifier starts over from what Kafka has: {}", root(e).toString());
            pause();
            return inARow;
        }
    }

    private DeliveryLoop loop(KafkaConsumer<String, byte[]> consumer, Outbox outbox) {
        var box = new Mailbox(consumer);
        mailbox = box;
        var attempts = new Attempts(sender, secrets, clock, box);
        var deliveries = new Deliveries(settings, attempts, clock, ThreadLocalRandom.current(), outbox);
        return new DeliveryLoop(
                consumer, new TakeOver(consumer, clients::stateReader), box, deliveries, outbox, settings);
    }

    /** A consumer whose closing does not wait for a broker that is away. */
    private record Closing(KafkaConsumer<String, byte[]> consumer) implements AutoCloseable {
        @Override
        public void close() {
            consumer.close(CloseOptions.timeout(PAUSE_AFTER_FAILURE));
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
