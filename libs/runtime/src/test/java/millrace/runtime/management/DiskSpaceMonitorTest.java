package millrace.runtime.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import millrace.runtime.settings.DiskSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpaceMonitorTest {
    private static final DiskSettings THOUSAND = new DiskSettings(1_000);
    private static final Path LOG = Path.of("/data/kafka");
    private static final Path REPORTS = Path.of("/data/reports");

    private final Map<Path, Long> free = new ConcurrentHashMap<>(Map.of(LOG, 5_000L, REPORTS, 1_000L));

    @Test
    void theFolderWithTheLeastRoomDecides() {
        var registry = new SimpleMeterRegistry();
        try (DiskSpaceMonitor disk = DiskSpaceMonitor.watch(THOUSAND, List.of(LOG, REPORTS), registry, this::read)) {
            assertThat(disk.hasRoomForReports()).isTrue();
            free.put(REPORTS, 999L);
            await().until(() -> !disk.hasRoomForReports());
            assertThat(disk.hasRoomToFinish()).isTrue();
            assertThat(disk.explain(new IllegalStateException("other"))).hasMessage("other");
            assertThat(registry.get("millrace.disk.free.bytes")
                            .tag("folder", REPORTS.toString())
                            .gauge()
                            .value())
                    .isEqualTo(999);
            free.put(REPORTS, 499L);
            await().until(() -> !disk.hasRoomToFinish());
            assertThat(disk.explain(new IllegalStateException("no space left")))
                    .hasMessage("the disk of /data/reports is full: 499 bytes are free")
                    .hasRootCauseMessage("no space left");
            free.put(REPORTS, 1_050L);
            await().until(disk::hasRoomToFinish);
            assertThat(disk.hasRoomForReports())
                    .as("a little more than too little")
                    .isFalse();
            free.put(REPORTS, 1_100L);
            await().until(disk::hasRoomForReports);
        }
    }

    @Test
    void aFolderThatIsNotThereYetIsOnTheDiskOfItsParent(@TempDir Path folder) {
        var registry = new SimpleMeterRegistry();
        Path missing = folder.resolve("a/b");
        try (DiskSpaceMonitor disk = DiskSpaceMonitor.watch(new DiskSettings(1), List.of(missing), registry)) {
            assertThat(disk.hasRoomForReports()).isTrue();
            assertThat(registry.get("millrace.disk.free.bytes").gauge().value())
                    .isBetween(1.0, (double) Long.MAX_VALUE / 2);
        }
    }

    @Test
    void whatCannotBeToldIsNoReasonToRefuse() {
        try (DiskSpaceMonitor disk =
                DiskSpaceMonitor.watch(THOUSAND, List.of(LOG), new SimpleMeterRegistry(), folder -> {
                    throw new IOException("unavailable");
                })) {
            assertThat(disk.hasRoomForReports()).isTrue();
        }
    }

    private long read(Path folder) {
        return free.getOrDefault(folder, Long.MAX_VALUE);
    }
}
