package millrace.notifier.bootstrap;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import millrace.notifier.attempt.DeliveryContext;
import millrace.notifier.attempt.DeliveryMetrics;
import millrace.notifier.loop.DeliveryLoop;
import millrace.notifier.mailbox.Mailbox;
import millrace.notifier.ownership.NotifierClients;
import millrace.runtime.kafka.ConsumerLagGauge;
import millrace.runtime.settings.KafkaSettings;
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

/**
 * Runs the delivery loop on a thread of its own until it is closed. After an error of Kafka it starts over from what Kafka
 * has; any other error ends it.
 */
public final class NotifierRunner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NotifierRunner.class);
    private static final Duration CLOSING = Duration.ofSeconds(2);
    private static final Duration ACCOUNTS_CHECK_PERIOD = Duration.ofMillis(200);
    private static final Duration RESTART_BACKOFF = Duration.ofSeconds(1);
    /** In a row, without one commit, of errors that waiting does not cure. */
    private static final int MAX_FAILURES = 5;

    /** How a run of the loop is to end. */
    private enum Ending {
        NOT_YET,
        ORDERLY,
        AT_ONCE
    }

    private final NotifierSettings settings;
    private final NotifierClients clients;
    private final NotifierEnvironment environment;
    private final DeliveryContext context;
    private final Consumer<Throwable> onFatal;
    private final Thread thread;
    private final Latch stopping;
    private final Latch ended;
    private volatile Ending ending = Ending.NOT_YET;
    private volatile @Nullable Mailbox mailbox;
    private volatile @Nullable DeliveryLoop loop;
    private volatile Supplier<Map<MetricName, ? extends Metric>> consumer = Map::of;

    private NotifierRunner(
            NotifierSettings settings,
            KafkaSettings kafka,
            NotifierEnvironment environment,
            Consumer<Throwable> onFatal) {
        this.settings = settings;
        this.clients = new NotifierClients(kafka, environment.clients());
        this.environment = environment;
        this.context = new DeliveryContext(
                environment.threads().clock(), environment.random(), new DeliveryMetrics(environment.registry()));
        this.onFatal = onFatal;
        this.stopping = new Latch(environment.threads());
        this.ended = new Latch(environment.threads());
        this.thread = environment.threads().platform().name("notifier").unstarted(this::runUntilClosed);
    }

    /**
     * @param kafka its topics must exist
     * @param onFatal called at most once, where the notifier has ended by itself; the process should end too
     */
    public static NotifierRunner start(
            NotifierSettings settings,
            KafkaSettings kafka,
            NotifierEnvironment environment,
            Consumer<Throwable> onFatal) {
        var runner = new NotifierRunner(settings, kafka, environment, onFatal);
        ConsumerLagGauge.register(
                environment.registry(), "notifier", Topics.DELIVERIES.name(), () -> runner.consumer.get());
        LOG.info(
                "notifier started: group {}, instance {}, Kafka {}",
                NotifierClients.GROUP,
                kafka.instanceId(),
                kafka.bootstrapServers());
        runner.thread.start();
        return runner;
    }

    /** Whether it has not ended by itself. */
    public boolean alive() {
        return !ended.isOpen();
    }

    /** Whether it is a member of its group and has taken over the endpoints that it was assigned. */
    public boolean ready() {
        DeliveryLoop current = loop;
        return alive() && current != null && current.ready();
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
        stopping.open();
        try {
            if (!ended.await(CLOSING)) {
                LOG.warn("the notifier did not end within {}", CLOSING);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void runUntilClosed() {
        try {
            int failures = 0;
            while (ending == Ending.NOT_YET && !environment.secrets().awaitRead(ACCOUNTS_CHECK_PERIOD)) {
                LOG.debug("waiting for the accounts");
            }
            while (ending == Ending.NOT_YET) {
                failures = runOnce(failures);
            }
        } catch (Throwable e) {
            LOG.error("the notifier cannot go on: {}", e.toString(), e);
            onFatal.accept(e);
        } finally {
            ended.open();
        }
    }

    /** Returns the failures in a row. */
    private int runOnce(int failures) {
        DeliveryLoop current = null;
        try (var run = new NotifierRun(settings, clients, context, environment)) {
            consumer = run::consumerMetrics;
            mailbox = run.mailbox();
            current = run.loop();
            loop = current;
            current.run(() -> ending != Ending.NOT_YET);
            if (ending == Ending.ORDERLY) {
                current.leave();
            }
            return 0;
        } catch (KafkaException e) {
            if (ending != Ending.NOT_YET) {
                LOG.warn("the last commit failed, what it held is delivered again: {}", root(e).toString());
                return 0;
            }
            int inARow = current != null && current.commits() > 0 ? 1 : failures + 1;
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
            stopping.await(RESTART_BACKOFF);
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
