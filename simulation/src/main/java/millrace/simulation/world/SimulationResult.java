package millrace.simulation.world;

import java.time.Duration;
import java.util.List;
import millrace.simulation.plan.SimulationPlan;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run.
 *
 * @param failure the violated invariant, or null
 * @param traceHash equal for equal runs, also in another JVM
 * @param simulated the simulated time
 * @param trace the last lines of the trace
 */
record SimulationResult(
        SimulationPlan plan, @Nullable String failure, long traceHash, Duration simulated, List<String> trace) {
    boolean failed() {
        return failure != null;
    }

    /** The message of the failure without ids and numbers, which change when a plan is shortened. */
    String kindOfFailure() {
        return failure == null
                ? ""
                : failure.replaceAll("[0-9a-f-]{36}", "…")
                        .replaceAll("[0-9]+", "…")
                        .split(":", 2)[0];
    }
}
