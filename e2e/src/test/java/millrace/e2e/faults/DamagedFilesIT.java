package millrace.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MillraceProcess;
import millrace.processor.warehouse.duckdb.WarehouseFolder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pointers, marks and secrets that are empty, as a power cut may leave those of earlier builds. */
@Tag("thorough") // starts it many times
class DamagedFilesIT {
    private static final Duration START = Duration.ofSeconds(60);

    @TempDir
    Path data;

    @Test
    void eachIsNamedWithWhatToDo() throws Exception {
        DemoDataFolder.create(data);
        String[] arguments = DemoDataFolder.arguments("--management.port=0");
        try (var millrace = MillraceProcess.start(data, arguments)) {
            millrace.checkStop();
        }
        assertThat(data.resolve("kafka/metadata-end")).content().matches("[1-9][0-9]*\n");
        for (String secret : List.of("link-secret", "accounts-key", "admin-keys", "demo-keys.yaml")) {
            endsTheStart(secret, arguments);
        }

        String version =
                Files.readString(data.resolve("warehouse/keywords/current")).strip();
        List<String> ignored = List.of("warehouse/keywords/current", "kafka/metadata-end", "kafka-port");
        for (String file : ignored) {
            empty(data.resolve(file));
        }
        empty(data.resolve("kafka/cluster-id"));
        try (var millrace = MillraceProcess.launch(data, arguments)) {
            await().atMost(START).until(() -> millrace.output().contains("metrics=http"));
            var management = new BatchApiClient(millrace.management(), "", HttpClient.newHttpClient());
            await().atMost(START).untilAsserted(() -> assertThat(
                            management.get("/health/ready").body().toString())
                    .contains("\"ledger\":true")
                    .contains("\"warehouse\":false"));
            assertThat(management.get("/health/ready").code()).isEqualTo(503);
            for (String file : ignored) {
                assertThat(millrace.output()
                                .lines()
                                .filter(line -> line.contains(data.resolve(file).toString())))
                        .as(file)
                        .anyMatch(line -> line.contains("ERROR"));
            }

            new WarehouseFolder(data.resolve("warehouse"), InstantSource.system()).switchTo("keywords", version);
            await().until(() -> management.get("/health/ready").code() == 200);
            await().atMost(START).until(() -> millrace.output().contains("Ctrl-C stops"));
            millrace.checkStop();
        }
    }

    private void endsTheStart(String name, String... arguments) throws IOException, InterruptedException {
        Path file = data.resolve(name);
        byte[] content = Files.readAllBytes(file);
        empty(file);
        try (var millrace = MillraceProcess.launch(data, arguments)) {
            assertThat(millrace.exitCode()).as(name).isNotZero();
            assertThat(millrace.output()).as(name).contains(file.toString()).doesNotContain("\tat ");
        }
        Files.write(file, content);
    }

    /** Not in place: other data folders have links to the same files. */
    private static void empty(Path file) throws IOException {
        Files.delete(file);
        Files.createFile(file);
    }
}
