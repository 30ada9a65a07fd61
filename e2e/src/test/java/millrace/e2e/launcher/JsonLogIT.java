package millrace.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import millrace.contracts.Json;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.process.MillraceProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./millrace --log.format=json}, whose output a program reads. */
@Tag("thorough") // a start of its own
class JsonLogIT {
    private static final String READY = "Millrace is ready. address=http://127.0.0.1:";

    @Test
    void eachLineIsAnObjectAndNoneHasAKey(@TempDir Path folder) throws Exception {
        Path data = DemoDataFolder.create(folder);
        try (var millrace = MillraceProcess.launch(data, DemoDataFolder.arguments("--log.format=json"))) {
            await().atMost(Duration.ofSeconds(90)).until(() -> millrace.output().contains(READY));
            millrace.checkStop();
            List<String> messages = new ArrayList<>();
            for (String line : millrace.output().lines().toList()) {
                JsonNode object = Json.MAPPER.readTree(line);
                assertThat(object.isObject()).as(line).isTrue();
                messages.add(object.path("message").asText());
            }
            assertThat(messages)
                    .filteredOn(message -> message.startsWith(READY))
                    .hasSize(1);
            String key =
                    Files.readString(data.resolve("demo-keys.yaml")).replaceAll("(?s).*batch_key: \"?(\\w+).*", "$1");
            assertThat(key).hasSizeGreaterThan(20);
            assertThat(millrace.output()).doesNotContain(key);
        }
    }
}
