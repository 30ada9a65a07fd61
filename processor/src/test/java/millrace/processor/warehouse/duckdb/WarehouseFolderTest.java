package millrace.processor.warehouse.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarehouseFolderTest {
    @TempDir
    private Path root;

    private Instant now = Instant.parse("2026-11-02T08:00:00Z");

    @Test
    void aVersionIsReadFromTheSwitchOn() throws IOException {
        var folder = new WarehouseFolder(root, () -> now);
        assertThat(folder.current("keywords")).isEmpty();
        assertThat(folder.versions("keywords")).isEmpty();

        publish(folder, "v2");
        publish(folder, "v1");
        assertThat(folder.current("keywords")).isEmpty();
        assertThat(folder.versions("keywords")).containsExactly("v1", "v2");

        folder.switchTo("keywords", "v1");
        assertThat(folder.current("keywords")).hasValue("v1");
    }

    @Test
    void anotherProcessesSwitchIsSeenWithinASecond() throws IOException {
        var here = new WarehouseFolder(root, () -> now);
        var there = new WarehouseFolder(root, () -> now);
        publish(there, "v1");
        publish(there, "v2");
        there.switchTo("keywords", "v1");
        assertThat(here.current("keywords")).hasValue("v1");
        there.switchTo("keywords", "v2");
        assertThat(here.current("keywords")).hasValue("v1");
        now = now.plusSeconds(1);
        assertThat(here.current("keywords")).hasValue("v2");
    }

    @Test
    void saysToAllProcessesWhenAVersionBecameCurrent() throws IOException {
        var here = new WarehouseFolder(root, () -> now);
        var there = new WarehouseFolder(root, () -> now);
        assertThat(here.switchedAt("keywords", "v1")).isEmpty();
        publish(there, "v1");
        publish(there, "v2");
        there.switchTo("keywords", "v1");
        Instant first =
                Files.getLastModifiedTime(root.resolve("keywords/current")).toInstant();
        assertThat(here.switchedAt("keywords", "v1")).hasValue(first);
        there.switchTo("keywords", "v2");
        Instant second = first.plusSeconds(60);
        Files.setLastModifiedTime(root.resolve("keywords/current"), FileTime.from(second));
        assertThat(here.switchedAt("keywords", "v1")).isEmpty();
        assertThat(here.switchedAt("keywords", "v2")).hasValue(second);
    }

    @Test
    void onlyWhatIsThereCanBeSwitchedTo() {
        var folder = new WarehouseFolder(root, () -> now);
        assertThatThrownBy(() -> folder.switchTo("keywords", "v9")).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> folder.file("keywords", "../v")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> folder.file("..", "v")).isInstanceOf(IllegalArgumentException.class);
    }

    private void publish(WarehouseFolder folder, String version) throws IOException {
        folder.publish(Files.createTempFile(root, "new", ".duckdb"), "keywords", version);
    }
}
