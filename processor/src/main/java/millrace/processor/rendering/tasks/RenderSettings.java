package millrace.processor.rendering.tasks;

import java.time.Duration;
import millrace.runtime.settings.Setting;

/** Settings of the render workers. */
public record RenderSettings(
        @Setting(value = "2", doc = "slices of large reports rendered at a time")
        int workers,

        @Setting(value = "2", doc = "reports of one slice rendered at a time; never taken by large ones")
        int smallWorkers,

        @Setting(value = "10m", doc = "longest time that one slice may take")
        Duration timeLimit,

        @Setting(value = "5s", advanced = true, doc = "interval of the heartbeats of a long slice")
        Duration heartbeat,

        @Setting(
                value = "30s",
                advanced = true,
                doc =
                        "how long a stopped slice may keep running before the process ends; after a sixth of it the process is not ready")
        Duration stopGrace) {

    public RenderSettings {
        if (workers < 1 || smallWorkers < 1) {
            throw new IllegalArgumentException("workers and small-workers must be at least 1");
        }
        if (!timeLimit.isPositive() || !heartbeat.isPositive() || !stopGrace.isPositive()) {
            throw new IllegalArgumentException("time-limit, heartbeat and stop-grace must be positive");
        }
    }
}
