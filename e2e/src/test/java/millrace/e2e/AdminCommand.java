package millrace.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.contracts.Json;

/** {@code ./millrace admin}, typed in a shell. */
record AdminCommand(Path home, Path data) {
    /** What it prints; it must succeed. */
    JsonNode typed(String line) throws Exception {
        Ended ended = run(line);
        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isZero();
        return Json.MAPPER.readTree(ended.out());
    }

    /** A whole command as somebody pastes it into a shell, in the folder of the script; it must succeed. */
    JsonNode pasted(String command) throws Exception {
        Path script = Path.of(Launcher.copyTo(home));
        Ended ended = Ended.run(List.of("bash", "-c", "cd '" + script.getParent() + "' && " + command), Map.of());
        assertThat(ended.err()).isEmpty();
        return Json.MAPPER.readTree(ended.out());
    }

    Ended run(String line) throws Exception {
        List<String> command = new ArrayList<>(List.of(Launcher.copyTo(home), "admin"));
        command.addAll(List.of(line.split(" ", -1)));
        command.add("--data=" + data);
        return Ended.run(command, Map.of());
    }
}
