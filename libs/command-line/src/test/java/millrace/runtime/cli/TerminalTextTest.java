package millrace.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

class TerminalTextTest {
    private static final String TITLE = "\u001b]0;x\u0007";

    @Test
    void nothingThatATerminalActsOn() {
        assertThat(TerminalText.escaped("ä shoes \uD83D\uDC5F")).isEqualTo("ä shoes \uD83D\uDC5F");
        assertThat(TerminalText.escaped(TITLE)).isEqualTo("\\u001b]0;x\\u0007");
        assertThat(TerminalText.escaped("\uD83D\uDC5F\u202Eevil\u009b\n"))
                .isEqualTo("\uD83D\uDC5F\\u202eevil\\u009b\\u000a");
    }

    @Test
    void errorsAreEscapedLineByLine() {
        var err = new ByteArrayOutputStream();
        int code = CliRunner.run(
                new Refused(), new String[0], System.out, new PrintStream(err, true, StandardCharsets.UTF_8));
        assertThat(code).isEqualTo(3);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("refused: one \\u001b]0;x\\u0007\nrefused: two\n");
    }

    @Command(name = "refused")
    private static final class Refused implements Callable<Integer> {
        @Override
        public Integer call() throws CliException {
            throw new CliException(3, "one " + TITLE + "\ntwo");
        }
    }
}
