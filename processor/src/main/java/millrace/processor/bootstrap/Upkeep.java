package millrace.processor.bootstrap;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats the processor's maintenance tasks, one at a time, on a thread of its own. */
final class Upkeep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("upkeep").daemon().factory());
    private final Duration closeTimeout;

    /** @param closeTimeout how long {@link #close} waits for the task that is running */
    Upkeep(Duration closeTimeout) {
        this.closeTimeout = closeTimeout;
    }

    /** Runs the task after the delay, and then each time this long after its end. */
    void repeat(Runnable task, Duration delay, Duration period) {
        var unused = thread.scheduleWithFixedDelay(
                () -> runAndLog(task), delay.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void runAndLog(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("maintenance task failed, it is repeated", e);
        }
    }

    /** Starts no further task and returns at once. */
    void stop() {
        thread.shutdown();
    }

    /**
     * Waits for the task that is running, and interrupts it only after the timeout: a Kafka producer
     * logs an error where the thread that closes it is interrupted.
     */
    @Override
    public void close() {
        stop();
        try {
            if (!thread.awaitTermination(closeTimeout.toMillis(), TimeUnit.MILLISECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
