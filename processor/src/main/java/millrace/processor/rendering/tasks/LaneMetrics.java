package millrace.processor.rendering.tasks;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.InstantSource;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import millrace.contracts.commands.AccountCommand;
import millrace.runtime.telemetry.HistogramBuckets;

/** The metrics of one lane of workers. Gauges have the values of the last {@link #observe}. */
final class LaneMetrics {
    private final MeterRegistry registry;
    private final String lane;
    private final InstantSource clock;
    private final Timer done;
    private final Timer failed;
    private volatile int waiting;
    private volatile long oldest;

    LaneMetrics(MeterRegistry registry, String lane, InstantSource clock) {
        this.registry = registry;
        this.lane = lane;
        this.clock = clock;
        this.done = timer("done");
        this.failed = timer("failed");
        Gauge.builder("millrace.render.waiting.tasks", this, f -> f.waiting)
                .description("Slices taken from Kafka that wait for a thread")
                .tag("lane", lane)
                .register(registry);
        Gauge.builder("millrace.render.oldest.seconds", this, LaneMetrics::oldestSeconds)
                .description("Time since the oldest waiting slice was handed out; 0 where none waits")
                .tag("lane", lane)
                .register(registry);
    }

    void running(IntSupplier running) {
        Gauge.builder("millrace.render.running.tasks", running::getAsInt)
                .description("Slices handed to threads and not answered")
                .tag("lane", lane)
                .register(registry);
    }

    MeterRegistry registry() {
        return registry;
    }

    String reader() {
        return "render-" + lane;
    }

    /** Updates the gauges; to be called by the thread that owns the queue. */
    void observe(Collection<QueuedTask> queue) {
        oldest = queue.stream().mapToLong(QueuedTask::handedOutAt).min().orElse(0);
        waiting = queue.size();
    }

    void ended(AccountCommand answer, long nanos) {
        (answer instanceof AccountCommand.SliceFailed ? failed : done).record(nanos, TimeUnit.NANOSECONDS);
    }

    private double oldestSeconds() {
        long since = oldest;
        return since == 0 ? 0 : Math.max(0, clock.millis() - since) / 1000.0;
    }

    private Timer timer(String outcome) {
        return Timer.builder("millrace.render.slice")
                .description("Time that a slice took")
                .tag("lane", lane)
                .tag("outcome", outcome)
                .serviceLevelObjectives(HistogramBuckets.reports())
                .register(registry);
    }
}
