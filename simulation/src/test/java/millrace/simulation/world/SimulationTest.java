package millrace.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import millrace.simulation.kernel.ForkedJvm;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.plan.PlannedAction;
import millrace.simulation.plan.ReportKind;
import millrace.simulation.plan.ServiceName;
import millrace.simulation.plan.SimulationPlan;
import org.junit.jupiter.api.Test;

/**
 * Runs whole simulations of many seeds. {@code -Dsimulation.seeds=…} runs more of them, {@code -Dsimulation.from=…}
 * others.
 */
class SimulationTest {
    private static final long FROM = Long.getLong("simulation.from", 0);
    private static final long SEEDS = Long.getLong("simulation.seeds", 1_000);

    @Test
    void everySeedHolds() {
        for (long seed = FROM; seed < FROM + SEEDS; seed++) {
            SimulationResult outcome = Simulation.run(seed);
            if (outcome.failed()) {
                throw new AssertionError(report(outcome));
            }
        }
    }

    private static String report(SimulationResult failed) {
        var text = new ByteArrayOutputStream();
        SimulationMain.report(failed, new PrintStream(text, true, StandardCharsets.UTF_8));
        return text.toString(StandardCharsets.UTF_8);
    }

    @Test
    void waitsForARetryThatIsReadWhenAllElseHasEnded() {
        Duration down = Duration.ofSeconds(8);
        var plan = new SimulationPlan(
                1,
                List.of(
                        new PlannedAction.Grant(Duration.ZERO, "acme", 100, false),
                        new PlannedAction.Request(Duration.ofSeconds(1), 0, "acme", ReportKind.FAILING, -1, false),
                        new PlannedAction.Kill(Duration.ofSeconds(3), ServiceName.PROCESSOR_1, down),
                        new PlannedAction.Kill(Duration.ofSeconds(3), ServiceName.PROCESSOR_2, down),
                        new PlannedAction.Retry(Duration.ofSeconds(4), 0)));

        SimulationResult outcome = Simulation.run(plan);

        assertThat(outcome.failure()).isNull();
        String secondAttempt = CommandClient.id(0) + "/2/";
        assertThat(outcome.trace()).anyMatch(line -> line.contains("runs " + secondAttempt));
    }

    @Test
    void isNotSettledWhereSomethingTurnsUpLate() {
        try (var scheduler = new Scheduler(1)) {
            var open = new AtomicBoolean();
            scheduler.after(Duration.ofMillis(500), () -> open.set(true));
            scheduler.after(Duration.ofSeconds(9), () -> open.set(false));
            Simulation.settle(scheduler, () -> !open.get());
            assertThat(Duration.ofNanos(scheduler.nanos())).isGreaterThan(Duration.ofSeconds(9));
        }
    }

    @Test
    void aSeedIsTheSameInAnotherJvm() throws Exception {
        String hash = String.format("%016x", Simulation.run(FROM).traceHash());
        assertThat(ForkedJvm.output(SimulationMain.class, "--seed", Long.toString(FROM)))
                .contains("trace " + hash);
    }

    @Test
    void aSeedIsTheSameEachTime() {
        assertThat(Simulation.run(FROM).traceHash())
                .isEqualTo(Simulation.run(FROM).traceHash());
        assertThat(Simulation.run(FROM).traceHash())
                .isNotEqualTo(Simulation.run(FROM + 1).traceHash());
    }
}
