package millrace.simulation.world;

import java.util.function.Function;
import millrace.simulation.plan.SimulationPlan;

/** Removes actions from a plan that fails, as long as it still fails in the same way. */
final class Shrinker {
    private final Function<SimulationPlan, SimulationResult> run;
    private int runsLeft;

    /** @param mostRuns greatest number of simulations */
    Shrinker(Function<SimulationPlan, SimulationResult> run, int mostRuns) {
        this.run = run;
        this.runsLeft = mostRuns;
    }

    /** Returns the result of the shortest failing plan that was found. */
    SimulationResult shrink(SimulationResult failed) {
        SimulationResult shortest = failed;
        for (int length = actions(shortest) / 2; length >= 1; length /= 2) {
            shortest = without(shortest, length);
        }
        for (int before = Integer.MAX_VALUE; actions(shortest) < before; ) {
            before = actions(shortest);
            shortest = without(shortest, 1);
        }
        return shortest;
    }

    private static int actions(SimulationResult outcome) {
        return outcome.plan().actions().size();
    }

    private SimulationResult without(SimulationResult failed, int length) {
        SimulationResult shortest = failed;
        int from = 0;
        while (from + length <= shortest.plan().actions().size() && runsLeft > 0) {
            runsLeft--;
            SimulationResult tried = run.apply(shortest.plan().without(from, from + length));
            if (tried.kindOfFailure().equals(failed.kindOfFailure())) {
                shortest = tried;
            } else {
                from += length;
            }
        }
        return shortest;
    }
}
