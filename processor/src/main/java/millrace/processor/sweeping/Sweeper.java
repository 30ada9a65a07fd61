package millrace.processor.sweeping;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import millrace.files.store.ReportStore;
import millrace.processor.warehouse.DataVersions;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sweeps regularly in the background. A sweep that fails is repeated after the interval. */
public final class Sweeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    /** The first sweep comes after this part of the interval, when the start is over. */
    private static final int FIRST = 10;

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("sweeper").factory());
    private final Sweep sweep;
    private final Leftovers leftovers;
    private final InstantSource clock;
    private final SweepSettings settings;

    /** Temporary files outside the store. */
    public interface Leftovers {
        /** Deletes files that were last changed before this time. Returns their number. */
        int deleteOlderThan(Instant before) throws IOException;
    }

    private Sweeper(Sweep sweep, Leftovers leftovers, SweepSettings settings, InstantSource clock) {
        this.sweep = sweep;
        this.leftovers = leftovers;
        this.settings = settings;
        this.clock = clock;
    }

    public static Sweeper start(
            KafkaSettings kafka,
            SweepSettings settings,
            ReportStore store,
            DataVersions versions,
            Leftovers leftovers,
            InstantSource clock) {
        var view = new TopicStatusLookup(kafka, TIMEOUT);
        var sweeper = new Sweeper(new Sweep(store, view, versions, settings), leftovers, settings, clock);
        long interval = settings.interval().toMillis();
        var unused = sweeper.thread.scheduleWithFixedDelay(
                sweeper::sweep, interval / FIRST, interval, TimeUnit.MILLISECONDS);
        return sweeper;
    }

    private void sweep() {
        try {
            int temporary = leftovers.deleteOlderThan(clock.instant().minus(settings.age()));
            Sweep.Swept swept = sweep.run(clock.instant());
            if (swept.files() + swept.unfinished() + temporary > 0) {
                LOG.info(
                        "report store swept unneeded={} unfinished={} temporary={}",
                        swept.files(),
                        swept.unfinished(),
                        temporary);
            }
        } catch (SweepRefusedException e) {
            LOG.error("report store not swept reason={}", e.getMessage());
        } catch (IOException | KafkaException e) {
            if (!thread.isShutdown()) {
                LOG.warn("sweep failed, it is repeated after interval={} error={}", settings.interval(), e.toString());
            }
        } catch (RuntimeException e) {
            LOG.error("sweep failed", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
