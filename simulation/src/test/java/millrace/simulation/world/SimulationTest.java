package millrace.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import millrace.simulation.kernel.OtherJvm;
import org.junit.jupiter.api.Test;

/** The whole, over many seeds. {@code -Dsimulation.seeds=…} runs more, {@code -Dsimulation.from=…} others. */
class SimulationTest {
    private static final long FROM = Long.getLong("simulation.from", 0);
    private static final long SEEDS = Long.getLong("simulation.seeds", 1_000);

    @Test
    void everySeedHolds() {
        for (long seed = FROM; seed < FROM + SEEDS; seed++) {
            Outcome outcome = Simulation.run(seed);
            if (outcome.failed()) {
                throw new AssertionError(report(outcome));
            }
        }
    }

    private static String report(Outcome failed) {
        var text = new ByteArrayOutputStream();
        SimulationMain.report(failed, new PrintStream(text, true, StandardCharsets.UTF_8));
        return text.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aSeedIsTheSameInAnotherJvm() throws Exception {
        String hash = String.format("%016x", Simulation.run(FROM).traceHash());
        assertThat(OtherJvm.output(SimulationMain.class, "--seed", Long.toString(FROM)))
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
