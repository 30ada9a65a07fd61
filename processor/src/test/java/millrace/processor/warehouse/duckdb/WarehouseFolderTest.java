package millrace.processor.warehouse.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** As a power cut may leave it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''    | it is empty",
                "../v1 | it has no name of a version",
                "\u00ff | it is not text",
                "v9    | there is no version v9",
            })
    void aPointerThatIsDamagedIsNamed(String content, String reason) throws IOException {
        var folder = new WarehouseFolder(root, () -> now);
        publish(folder, "v1");
        folder.switchTo("keywords", "v1");
        Path current = root.resolve("keywords/current");
        Files.write(current, content.getBytes(StandardCharsets.ISO_8859_1));

        assertThat(folder.readable()).isTrue();
        folder.check();
        assertThat(folder.readable()).isFalse();
        assertThatThrownBy(() -> folder.current("keywords"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(current + " does not say which version")
                .hasMessageContaining(reason)
                .hasMessageContaining("millrace versions --use keywords@");
        assertThatThrownBy(() -> folder.delete("keywords", "v1")).isInstanceOf(UncheckedIOException.class);

        folder.switchTo("keywords", "v1");
        folder.check();
        assertThat(folder.readable()).isTrue();
        assertThat(folder.current("keywords")).hasValue("v1");
    }

    private void publish(WarehouseFolder folder, String version) throws IOException {
        folder.publish(Files.createTempFile(root, "new", ".duckdb"), "keywords", version);
    }
}
