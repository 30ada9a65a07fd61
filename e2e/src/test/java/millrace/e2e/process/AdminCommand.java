package millrace.e2e.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.contracts.Json;
import millrace.gateway.admin.command.AdminMain;

/** Runs {@code ./millrace admin}. */
public record AdminCommand(Path home, Path data) {
    /** Runs a command in this JVM, which must succeed; returns its output. */
    public JsonNode typed(String line) throws Exception {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        int code = AdminMain.run(
                Stream.concat(Stream.of(line.split(" ", -1)), Stream.of("--data=" + data))
                        .toArray(String[]::new),
                Map.of(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(code).isZero();
        return Json.MAPPER.readTree(out.toByteArray());
    }

    /** Runs a whole command as an operator pastes it into a shell, in the folder of the script. It must succeed. */
    public JsonNode pasted(String command) throws Exception {
        Path script = Path.of(LauncherScript.copyTo(home));
        ProcessResult ended =
                ProcessResult.run(List.of("bash", "-c", "cd '" + script.getParent() + "' && " + command), Map.of());
        assertThat(ended.err()).isEmpty();
        return Json.MAPPER.readTree(ended.out());
    }

    /** Runs a command in a shell. */
    public ProcessResult run(String line) throws Exception {
        List<String> command = new ArrayList<>(List.of(LauncherScript.copyTo(home), "admin"));
        command.addAll(List.of(line.split(" ", -1)));
        command.add("--data=" + data);
        return ProcessResult.run(command, Map.of());
    }
}
