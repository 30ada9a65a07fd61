package millrace.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import millrace.simulation.plan.Action;
import millrace.simulation.plan.Plan;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
    private static final int ACTIONS = 40;

    @Test
    void keepsTheActionsWithoutWhichThePlanHolds() {
        Plan plan = new Plan(
                7, IntStream.range(0, ACTIONS).mapToObj(ShrinkerTest::cancel).toList());

        Outcome shortest = new Shrinker(ShrinkerTest::run, 1_000).shrink(run(plan));

        assertThat(shortest.plan().actions()).containsExactly(cancel(3), cancel(17), cancel(39));
        assertThat(shortest.plan().seed()).isEqualTo(7);
    }

    @Test
    void isNotMisledByAnotherFailure() {
        Plan plan = new Plan(7, List.of(cancel(1), cancel(2)));
        var runs = new AtomicInteger();

        Outcome shortest = new Shrinker(
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
        Plan plan = new Plan(
                7, IntStream.range(0, ACTIONS).mapToObj(ShrinkerTest::cancel).toList());
        Outcome shortest = new Shrinker(ShrinkerTest::run, 3).shrink(run(plan));
        assertThat(shortest.failed()).isTrue();
    }

    /** Fails with actions 3, 17 and 39 together; the numbers in its words differ. */
    private static Outcome run(Plan plan) {
        boolean fails = plan.actions().containsAll(List.of(cancel(3), cancel(17), cancel(39)));
        return outcome(plan, fails ? "event 12 of report " + plan.actions().size() + " is lost: x" : null);
    }

    private static Outcome outcome(Plan plan, @org.jspecify.annotations.Nullable String failure) {
        return new Outcome(plan, failure, 0, Duration.ZERO, List.of());
    }

    private static Action cancel(int report) {
        return new Action.Cancel(Duration.ofSeconds(report), report);
    }
}
