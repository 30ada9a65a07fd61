package millrace.processor.retention;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import millrace.files.store.ReportStore;
import millrace.processor.warehouse.DataVersions;
import millrace.runtime.service.BackgroundPriority;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks regularly in the background whose the report store is, and lists it when no processor has done so for the
 * interval of the settings. What fails is repeated.
 */
public final class Sweeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    /** How often is checked whose the store is, and whether it is time to list it; or the interval, if shorter. */
    private static final Duration PERIOD = Duration.ofHours(1);
    /** The first listing comes after this part of the period, when the start is over. */
    private static final int FIRST = 10;
    /** The first check comes after at most this time, since nothing is deleted before. */
    private static final Duration FIRST_CHECK = Duration.ofSeconds(5);
    /** A check that Kafka or the store did not answer comes again after at most this time. */
    private static final Duration NEXT_CHECK = Duration.ofMinutes(1);

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** A listing takes 0.1 ms of CPU for a file, and nobody waits for it. */
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            BackgroundPriority.of(Thread.ofPlatform().daemon().name("sweeper").factory()));

    private final Sweep sweep;
    private final Leftovers leftovers;
    private final InstantSource clock;
    private final SweepSettings settings;
    private final Duration period;
    private final Counter deleted;

    private volatile boolean owned;

    /** Temporary files outside the store. */
    public interface Leftovers {
        /** Deletes files that were last changed before this time. Returns their number. */
        int deleteOlderThan(Instant before) throws IOException;
    }

    private Sweeper(Sweep sweep, Leftovers leftovers, SweepSettings settings, InstantSource clock, Counter deleted) {
        this.deleted = deleted;
        this.sweep = sweep;
        this.leftovers = leftovers;
        this.settings = settings;
        this.clock = clock;
        this.period = settings.interval().compareTo(PERIOD) < 0 ? settings.interval() : PERIOD;
    }

    public static Sweeper start(
            KafkaSettings kafka,
            SweepSettings settings,
            ReportStore store,
            DataVersions versions,
            Leftovers leftovers,
            InstantSource clock,
            MeterRegistry registry) {
        var view = new TopicStatusLookup(kafka, TIMEOUT);
        Counter deleted = DeletionMetrics.deleted(registry, "listed");
        var sweeper = new Sweeper(new Sweep(store, view, versions, settings), leftovers, settings, clock, deleted);
        Duration first = sweeper.period.dividedBy(FIRST);
        sweeper.checkAfter(first.compareTo(FIRST_CHECK) < 0 ? first : FIRST_CHECK);
        var unused = sweeper.thread.scheduleWithFixedDelay(
                sweeper::sweep, first.toMillis(), sweeper.period.toMillis(), TimeUnit.MILLISECONDS);
        return sweeper;
    }

    /**
     * Whether the store is known to be that of this Kafka, or nobody's. Without an answer of Kafka or of the store,
     * that of the last check counts.
     */
    public boolean owned() {
        return owned;
    }

    private void checkAfter(Duration pause) {
        try {
            var unused = thread.schedule(this::check, pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("closed", e);
        }
    }

    private void check() {
        Duration next = period.compareTo(NEXT_CHECK) < 0 ? period : NEXT_CHECK;
        try {
            int dictionaries = sweep.check(clock.instant());
            owned = true;
            next = period;
            if (dictionaries > 0) {
                LOG.info("entity dictionaries deleted files={}", dictionaries);
            }
        } catch (SweepRefusedException e) {
            owned = false;
            next = period;
            LOG.error("report store not swept, and no file is deleted reason={}", e.getMessage());
        } catch (IOException | RuntimeException e) {
            failed("check of the report store", next, e);
        }
        checkAfter(next);
    }

    private void sweep() {
        try {
            int temporary = leftovers.deleteOlderThan(clock.instant().minus(settings.age()));
            if (temporary > 0) {
                LOG.info("temporary files deleted files={}", temporary);
            }
            if (!sweep.isDue(clock.instant())) {
                return;
            }
            Sweep.Swept swept = sweep.run(clock.instant());
            deleted.increment(swept.files());
            LOG.info("report store listed unneeded={} unfinished={}", swept.files(), swept.unfinished());
        } catch (SweepRefusedException e) {
            LOG.error("report store not swept reason={}", e.getMessage());
        } catch (IOException | RuntimeException e) {
            failed("sweep", period, e);
        }
    }

    private void failed(String what, Duration next, Exception e) {
        if (thread.isShutdown()) {
            return;
        }
        if (e instanceof IOException || e instanceof KafkaException) {
            LOG.warn("{} failed, it is repeated pause={} error={}", what, next, e.toString());
        } else {
            LOG.error("{} failed, it is repeated pause={}", what, next, e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
