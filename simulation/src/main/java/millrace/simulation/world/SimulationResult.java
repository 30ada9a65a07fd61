package millrace.simulation.world;

import java.time.Duration;
import java.util.List;
import millrace.simulation.plan.SimulationPlan;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended.
 *
 * @param failure what was violated, or null
 * @param traceHash equal for equal runs, also in another JVM
 * @param simulated time that passed in the simulation
 * @param trace the last lines of the trace
 */
record SimulationResult(
        SimulationPlan plan, @Nullable String failure, long traceHash, Duration simulated, List<String> trace) {
    boolean failed() {
        return failure != null;
    }

    /** The kind of the failure: its words without ids and numbers, which change when a plan is shortened. */
    String kindOfFailure() {
        return failure == null
                ? ""
                : failure.replaceAll("[0-9a-f-]{36}", "…")
                        .replaceAll("[0-9]+", "…")
                        .split(":", 2)[0];
    }
}
