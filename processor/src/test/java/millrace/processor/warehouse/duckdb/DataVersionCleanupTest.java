package millrace.processor.warehouse.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataVersionCleanupTest {
    private static final Duration GRACE = Duration.ofHours(1);

    @TempDir
    private Path root;

    private Instant now = Instant.parse("2026-11-02T12:00:00Z");
    private long nanos;
    private final InstantSource clock = () -> now;
    private WarehouseFolder folder;
    private DataVersionCleanup old;

    @BeforeEach
    void threeVersions() throws IOException {
        folder = new WarehouseFolder(root, clock);
        old = new DataVersionCleanup(folder, GRACE, () -> nanos);
        for (String version : new String[] {"v1", "v2", "v3"}) {
            folder.publish(Files.writeString(root.resolve("new"), version), "keywords", version);
        }
        folder.switchTo("keywords", "v3");
    }

    @Test
    void whatNobodyReadsGoesAfterAWhile() throws IOException {
        old.sweep();
        pass(GRACE);
        old.sweep();
        assertThat(folder.versions("keywords")).containsExactly("v1", "v2", "v3");
        pass(Duration.ofSeconds(1));
        old.sweep();
        assertThat(folder.versions("keywords")).containsExactly("v3");
    }

    @Test
    void whatIsReadStaysUntilAWhileAfterwards() throws IOException {
        old.sweep();
        for (int i = 0; i < 10; i++) {
            folder.inUse("keywords", "v1");
            pass(Duration.ofMinutes(30));
            old.sweep();
        }
        assertThat(folder.versions("keywords")).containsExactly("v1", "v3");
        pass(GRACE.plusSeconds(1));
        old.sweep();
        assertThat(folder.versions("keywords")).containsExactly("v3");
        try (var left = Files.list(root.resolve("keywords"))) {
            assertThat(left).hasSize(2);
        }
    }

    /** Or a machine that was suspended: the next mark comes within seconds. */
    @Test
    void aWallClockThatIsSetForwardDeletesNothing() throws IOException {
        old.sweep();
        folder.inUse("keywords", "v1");
        now = now.plus(Duration.ofDays(2));
        old.sweep();
        assertThat(folder.versions("keywords")).hasSize(3);
    }

    @Test
    void aProcessThatHasJustStartedTakesItsTime() throws IOException {
        old.sweep();
        pass(Duration.ofDays(10));
        new DataVersionCleanup(folder, GRACE, () -> nanos).sweep();
        assertThat(folder.versions("keywords")).hasSize(3);
    }

    @Test
    void whatIsCurrentAgainStays() throws IOException {
        old.sweep();
        pass(GRACE.plusSeconds(1));
        folder.switchTo("keywords", "v1");
        old.sweep();
        assertThat(folder.versions("keywords")).containsExactly("v1", "v3");
        folder.switchTo("keywords", "v3");
        old.sweep();
        assertThat(folder.versions("keywords")).containsExactly("v1", "v3");
    }

    /** Any of them may be the one that reports read. The other datasets are cleaned. */
    @Test
    void versionsOfADamagedPointerStay() throws IOException {
        folder.publish(Files.writeString(root.resolve("new"), "v1"), "site_keywords", "v1");
        old.sweep();
        pass(GRACE.plusSeconds(1));
        Files.writeString(root.resolve("keywords/current"), "");
        old.sweep();
        assertThat(folder.versions("keywords")).containsExactly("v1", "v2", "v3");
        assertThat(folder.versions("site_keywords")).isEmpty();
    }

    /** Nothing else would say when the version was last read, and it would stay for ever. */
    @Test
    void theTimeOfADamagedMarkCounts() throws IOException {
        folder.inUse("keywords", "v1");
        Path mark = root.resolve("keywords/.v1.used");
        Files.writeString(mark, "");
        Files.setLastModifiedTime(mark, FileTime.from(now));
        old.sweep();
        pass(GRACE);
        old.sweep();
        assertThat(folder.versions("keywords")).contains("v1");
        pass(Duration.ofSeconds(1));
        old.sweep();
        assertThat(folder.versions("keywords")).doesNotContain("v1");
    }

    @Test
    void aFolderThatIsNotThereHasNoVersions() {
        new DataVersionCleanup(new WarehouseFolder(root.resolve("none"), clock), GRACE, () -> nanos).sweep();
    }

    private void pass(Duration time) {
        now = now.plus(time);
        nanos += time.toNanos();
    }
}
