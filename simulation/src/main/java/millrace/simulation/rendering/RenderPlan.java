package millrace.simulation.rendering;

import java.time.Duration;

/**
 * The plan of one run of a task.
 *
 * @param time until the run ends
 * @param ending how it ends
 */
public record RenderPlan(Duration time, Ending ending) {
    /** How a run ends. */
    public enum Ending {
        /** The file is written. */
        DONE,
        /** The dataset has no data. */
        NO_DATA,
        /** The engine of the warehouse is unavailable. */
        ENGINE_UNAVAILABLE,
        /** The report store cannot be written. */
        STORE_FAILED,
        /** The run kills its process. */
        KILLS,
        /** The run does not end, also when it is stopped. */
        HANGS
    }

    public static RenderPlan done(Duration time) {
        return new RenderPlan(time, Ending.DONE);
    }

    public static RenderPlan kills(Duration time) {
        return new RenderPlan(time, Ending.KILLS);
    }

    public static RenderPlan hangs() {
        return new RenderPlan(Duration.ZERO, Ending.HANGS);
    }
}
