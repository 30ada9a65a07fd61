package millrace.processor.data.examples;

import millrace.contracts.operation.VersionSwitch;
import millrace.processor.data.examples.VersionSwitcher.Outcome;
import millrace.processor.warehouse.duckdb.ImportFolder;
import millrace.processor.warehouse.duckdb.WarehouseFolder;
import millrace.runtime.settings.KafkaSettings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionSwitcherTest {
    private static final Instant NOW = Instant.parse("2026-11-22T08:00:00Z");

    @TempDir
    private Path root;

    private WarehouseFolder folder;
    private VersionSwitcher switcher;

    @BeforeEach
    void twoVersions() throws IOException {
        folder = new WarehouseFolder(root, () -> NOW);
        for (String version : new String[] {"v1", "v2", "v3"}) {
            folder.publish(Files.createTempFile(root, "new", ".duckdb"), "keywords", version);
        }
        folder.switchTo("keywords", "v2");
        // It is not started: nothing is read from Kafka.
        switcher = new VersionSwitcher(KafkaSettings.local("127.0.0.1:1", 1, "test"), root, folder, () -> {});
    }

    @Test
    void switchesBackAndSaysSoWhereItIsAskedAgain() throws IOException {
        assertThat(switcher.perform(wanted("v2", "v1"))).isEqualTo(Outcome.SWITCHED);
        assertThat(folder.current("keywords")).hasValue("v1");
        assertThat(switcher.perform(wanted("v2", "v1"))).isEqualTo(Outcome.DONE_BEFORE);
    }

    /** An import has made v3 current after the operator looked. */
    @Test
    void leavesWhatIsNewerThanTheOperatorSaw() throws IOException {
        folder.switchTo("keywords", "v3");
        assertThat(switcher.perform(wanted("v2", "v1"))).isEqualTo(Outcome.OUTDATED);
        assertThat(folder.isCurrent("keywords", "v3")).isTrue();
    }

    @Test
    void leavesAVersionThatIsNotThere() throws IOException {
        assertThat(switcher.perform(wanted("v2", "v9"))).isEqualTo(Outcome.MISSING);
        assertThat(folder.isCurrent("keywords", "v2")).isTrue();
    }

    @Test
    void doesNotCutIntoAnImport() throws IOException {
        try (ImportFolder running = ImportFolder.open(root, "keywords").orElseThrow()) {
            assertThat(running.path()).isDirectory();
            assertThat(switcher.perform(wanted("v2", "v1"))).isEqualTo(Outcome.IMPORT_RUNS);
        }
        assertThat(folder.isCurrent("keywords", "v2")).isTrue();
        assertThat(switcher.perform(wanted("v2", "v1"))).isEqualTo(Outcome.SWITCHED);
    }

    @Test
    void mendsAPointerThatIsDamaged() throws IOException {
        Files.writeString(root.resolve("keywords/current"), "");
        assertThat(switcher.perform(wanted("v2", "v1"))).isEqualTo(Outcome.SWITCHED);
        assertThat(folder.isCurrent("keywords", "v1")).isTrue();
    }

    private static VersionSwitch wanted(String from, String to) {
        return new VersionSwitch("keywords", from, to, "ops", null, NOW);
    }
}
