package millrace.e2e.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code ./millrace repartition} on a data folder. */
public final class RepartitionProcess {
    private static final String MAIN = "millrace.standalone.RepartitionMain";

    private RepartitionProcess() {}

    /** Runs it to its end, and returns what it has printed. */
    public static String run(Path data, String... arguments) throws IOException, InterruptedException {
        ProcessResult ended = ProcessResult.run(command(data, arguments), Map.of());
        assertThat(ended.code()).as("%s", ended).isZero();
        return ended.out();
    }

    /** Kills it once it has printed this. */
    public static void kill(Path data, String printed, String... arguments) throws IOException, InterruptedException {
        try (MainProcess run = MainProcess.launch(command(data, arguments))) {
            assertThat(run.awaitOutput(output -> output.contains(printed)))
                    .as(run.output())
                    .isTrue();
            run.kill();
        }
    }

    private static List<String> command(Path data, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--data", data.toString()));
        all.addAll(List.of(arguments));
        return MainProcess.command(MAIN, List.of(), all);
    }
}
