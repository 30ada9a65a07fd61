package millrace.processor.repartition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepartitionCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource({
        "'', Missing required argument",
        "--dry-run --undo, --dry-run is for --partitions",
        "--discard --partitions 16, --discard for --undo",
        "--partitions many, 'many'",
        "--confirm --undo, mutually exclusive",
        "--partition 16, did you mean",
    })
    void saysWhatIsWrongWithACommand(String line, String said) {
        assertThat(run(line)).isEqualTo(2);
        assertThat(err.toString(UTF_8))
                .startsWith("millrace admin repartition: ")
                .contains(said);
    }

    @Test
    void helpHasAnExample() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(UTF_8)).contains("millrace-admin repartition --kafka kafka-1:9092 --partitions 16");
    }

    @Test
    void saysHowMuchIsDoneAndWhatIsLeft() {
        var nanos = new long[1];
        var progress = new ConsoleProgress(new PrintStream(out, true, UTF_8), () -> nanos[0]);
        progress.expect(4000);
        progress.begins("copying a topic");
        progress.did(500, 1_000_000);
        nanos[0] = 10_000_000_000L;
        progress.did(500, 1_000_000);
        assertThat(out.toString(UTF_8).lines())
                .containsExactly(
                        "copying a topic",
                        "  1,000 records and 2 MB read in 10 s, 100 records a second, at most 30 s left");
    }

    private int run(String line) {
        return RepartitionCommand.run(
                line.isEmpty() ? new String[0] : line.split(" ", -1),
                Map.of(),
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8));
    }
}
