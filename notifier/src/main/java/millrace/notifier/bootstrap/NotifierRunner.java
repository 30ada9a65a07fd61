package millrace.notifier.bootstrap;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import millrace.notifier.NotifierSettings;
import millrace.notifier.loop.DeliveryLoop;
import millrace.notifier.loop.DeliveryMetrics;
import millrace.notifier.loop.NotifierClients;
import millrace.notifier.loop.NotifierEnvironment;
import millrace.runtime.kafka.ConsumerLagGauge;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.service.SteadyClock;
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
 * Runs the delivery loop on its own thread until it is closed. After a {@link KafkaException} it starts another run,
 * which restores its state from Kafka. Any other error ends it.
 */
public final class NotifierRunner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NotifierRunner.class);
    private static final Duration CLOSING = Duration.ofSeconds(2);
    private static final Duration ACCOUNTS_CHECK_PERIOD = Duration.ofMillis(200);
    private static final Duration RESTART_BACKOFF = Duration.ofSeconds(1);
    /** Runs that may fail in a row without a commit, if the error is not retriable. */
    private static final int MAX_FAILURES = 5;

    /** How the current run of the loop is to end. */
    private enum Ending {
        NOT_YET,
        ORDERLY,
        AT_ONCE
    }

    private final NotifierSettings settings;
    private final NotifierClients clients;
    private final NotifierEnvironment environment;
    private final SteadyClock clock;
    private final DeliveryMetrics metrics;
    private final Consumer<Throwable> onFatal;
    private final Thread thread;
    private final Latch stopping;
    private final Latch ended;
    private volatile Ending ending = Ending.NOT_YET;
    private volatile @Nullable DeliveryLoop loop;

    private NotifierRunner(
            NotifierSettings settings,
            KafkaSettings kafka,
            NotifierEnvironment environment,
            Consumer<Throwable> onFatal) {
        this.settings = settings;
        this.clients = new NotifierClients(kafka, environment.clients());
        this.environment = environment;
        this.clock = new SteadyClock(environment.threads());
        this.metrics = new DeliveryMetrics(environment.registry());
        this.onFatal = onFatal;
        this.stopping = new Latch(environment.threads());
        this.ended = new Latch(environment.threads());
        this.thread = environment.threads().platform().name("notifier").unstarted(this::runUntilClosed);
    }

    /**
     * @param kafka Kafka, where the topics must exist
     * @param onFatal called at most once, after the notifier has failed; the process should end too
     */
    public static NotifierRunner start(
            NotifierSettings settings,
            KafkaSettings kafka,
            NotifierEnvironment environment,
            Consumer<Throwable> onFatal) {
        var runner = new NotifierRunner(settings, kafka, environment, onFatal);
        ConsumerLagGauge.register(
                environment.registry(), "notifier", Topics.DELIVERIES.name(), runner::consumerMetrics);
        LOG.info(
                "notifier started group={} instanceId={} kafka={}",
                ConsumerGroups.NOTIFIERS,
                kafka.instanceId(),
                kafka.bootstrapServers());
        runner.thread.start();
        return runner;
    }

    /** Whether the notifier has not failed. */
    public boolean alive() {
        return !ended.isOpen();
    }

    /** Whether the notifier is a member of its group and has taken over all partitions that it was assigned. */
    public boolean ready() {
        DeliveryLoop current = loop;
        return alive() && current != null && current.ready();
    }

    private Map<MetricName, ? extends Metric> consumerMetrics() {
        DeliveryLoop current = loop;
        return current == null ? Map.of() : current.consumerMetrics();
    }

    /** Waits a moment for attempts under way, commits, and leaves the group. Takes at most 2 s. */
    @Override
    public void close() {
        end(Ending.ORDERLY);
    }

    /** Stops as if the process had been killed: without a commit and without leaving the group. */
    void abandon() {
        end(Ending.AT_ONCE);
    }

    private void end(Ending how) {
        ending = how;
        DeliveryLoop current = loop;
        if (current != null) {
            current.wake();
        }
        stopping.open();
        try {
            if (!ended.await(CLOSING)) {
                LOG.warn("notifier did not stop in time timeout={}", CLOSING);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void runUntilClosed() {
        try {
            int failures = 0;
            while (ending == Ending.NOT_YET && !environment.secrets().awaitRead(ACCOUNTS_CHECK_PERIOD)) {
                LOG.debug("waiting for accounts");
            }
            while (ending == Ending.NOT_YET) {
                failures = runOnce(failures);
            }
        } catch (Throwable e) {
            LOG.error("notifier failed error={}", e.toString(), e);
            onFatal.accept(e);
        } finally {
            ended.open();
        }
    }

    /** Returns the number of failures in a row. */
    private int runOnce(int failures) {
        DeliveryLoop begun = null;
        try (var current = new DeliveryLoop(settings, clients, environment, clock, metrics)) {
            begun = current;
            loop = current;
            current.run(() -> ending != Ending.NOT_YET);
            if (ending == Ending.ORDERLY) {
                current.leave();
            }
            return 0;
        } catch (KafkaException e) {
            if (ending != Ending.NOT_YET) {
                LOG.warn("last commit failed, its events will be sent again error={}", root(e).toString());
                return 0;
            }
            int inARow = begun != null && begun.commits() > 0 ? 1 : failures + 1;
            if (incurable(e) || (inARow > MAX_FAILURES && !(root(e) instanceof RetriableException))) {
                throw e;
            }
            LOG.warn("notifier run failed, another one starts error={}", root(e).toString());
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

    /**
     * Whether another run would fail too: a second process has this instance's name, or the client is not authorized.
     */
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

    /**
     * A gate that opens once and releases the threads that wait for it. It waits with {@link ServiceThreads}, so that a
     * simulation controls the time.
     */
    private static final class Latch {
        private final ServiceThreads threads;
        private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
        private volatile boolean open;

        Latch(ServiceThreads threads) {
            this.threads = threads;
        }

        void open() {
            open = true;
            waiting.forEach(LockSupport::unpark);
        }

        boolean isOpen() {
            return open;
        }

        /** Waits until the latch is open; returns false after the timeout. */
        boolean await(Duration timeout) throws InterruptedException {
            long end = threads.nanoTime() + timeout.toNanos();
            waiting.add(Thread.currentThread());
            try {
                for (long left = timeout.toNanos(); !open && left > 0; left = end - threads.nanoTime()) {
                    threads.parkNanos(left);
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                }
                return open;
            } finally {
                waiting.remove(Thread.currentThread());
            }
        }
    }
}
