package millrace.simulation.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SimulationMainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void helps() {
        assertThat(run("--help")).isZero();
        assertThat(text(out)).contains("usage: simulation/run", "--seeds");
    }

    @Test
    void runsOneSeedAndSaysWhatHappensInIt() {
        assertThat(run("--seed", "3", "--trace")).isZero();
        assertThat(text(out)).contains("seed 3: holds", "Grant", "sends");
    }

    @Test
    void runsSeveral() {
        assertThat(run("--from", "5", "--seeds", "2")).isZero();
        assertThat(text(out)).contains("2 seeds hold");
    }

    @Test
    void saysWhatIsWrongWithItsArguments() {
        assertThat(run("--seed", "many")).isEqualTo(2);
        assertThat(text(err)).isEqualToIgnoringNewLines("--seed needs a number; see --help");
    }

    private int run(String... arguments) {
        return SimulationMain.run(arguments, new PrintStream(out, true), new PrintStream(err, true));
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
