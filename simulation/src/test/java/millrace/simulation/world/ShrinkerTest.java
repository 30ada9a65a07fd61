package millrace.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import millrace.simulation.plan.PlannedAction;
import millrace.simulation.plan.SimulationPlan;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
    private static final int ACTIONS = 40;

    @Test
    void keepsTheActionsWithoutWhichThePlanHolds() {
        SimulationPlan plan = new SimulationPlan(
                7, IntStream.range(0, ACTIONS).mapToObj(ShrinkerTest::cancel).toList());

        SimulationResult shortest = new Shrinker(ShrinkerTest::run, 1_000).shrink(run(plan));

        assertThat(shortest.plan().actions()).containsExactly(cancel(3), cancel(17), cancel(39));
        assertThat(shortest.plan().seed()).isEqualTo(7);
    }

    @Test
    void isNotMisledByAnotherFailure() {
        SimulationPlan plan = new SimulationPlan(7, List.of(cancel(1), cancel(2)));
        var runs = new AtomicInteger();

        SimulationResult shortest = new Shrinker(
                        shorter -> {
                            runs.incrementAndGet();
                            return outcome(
                                    shorter,
                                    "another thing: " + shorter.actions().size());
                        },
                        1_000)
                .shrink(outcome(plan, "a thing: 2"));

        assertThat(shortest.plan()).isEqualTo(plan);
        assertThat(runs).hasPositiveValue();
    }

    @Test
    void givesUpAfterSoManyRuns() {
        SimulationPlan plan = new SimulationPlan(
                7, IntStream.range(0, ACTIONS).mapToObj(ShrinkerTest::cancel).toList());
        SimulationResult shortest = new Shrinker(ShrinkerTest::run, 3).shrink(run(plan));
        assertThat(shortest.failed()).isTrue();
    }

    /** Fails where the plan has actions 3, 17 and 39; the numbers in the message differ. */
    private static SimulationResult run(SimulationPlan plan) {
        boolean fails = plan.actions().containsAll(List.of(cancel(3), cancel(17), cancel(39)));
        return outcome(plan, fails ? "event 12 of report " + plan.actions().size() + " is lost: x" : null);
    }

    private static SimulationResult outcome(SimulationPlan plan, @org.jspecify.annotations.Nullable String failure) {
        return new SimulationResult(plan, failure, 0, Duration.ZERO, List.of());
    }

    private static PlannedAction cancel(int report) {
        return new PlannedAction.Cancel(Duration.ofSeconds(report), report);
    }
}
