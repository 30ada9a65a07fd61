package millrace.simulation.rendering;

import java.time.Duration;

/**
 * What one run of a task does.
 *
 * @param time until it ends so
 */
public record RenderPlan(Duration time, Ending ending) {
    /** How a run ends. */
    public enum Ending {
        /** Its file is there. */
        DONE,
        /** The dataset has no data any more. */
        NO_DATA,
        /** The engine of the warehouse does not answer. */
        ENGINE_UNAVAILABLE,
        /** The report store cannot be written. */
        STORE_FAILED,
        /** It kills its process. */
        KILLS,
        /** It does not end, also when it is stopped. */
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
