package millrace.runtime.management;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import millrace.runtime.settings.DiskSettings;
import millrace.runtime.settings.SettingsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks twice a second the free space of the folders that this process writes to, so that new
 * reports are refused while accepted ones can still be completed. Answers come from memory.
 */
public final class DiskSpaceMonitor implements AutoCloseable {
    /** Measures the free bytes of the disk that a folder is on. */
    @FunctionalInterface
    public interface FreeSpace {
        long bytesOf(Path folder) throws IOException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(DiskSpaceMonitor.class);
    private static final Duration PERIOD = Duration.ofMillis(500);

    private final long minFreeBytes;
    private final FreeSpace freeSpace;
    private final Map<Path, Long> free = new ConcurrentHashMap<>();
    private final Map<Path, Long> scarce = new ConcurrentHashMap<>();
    private final Thread thread = Thread.ofVirtual().name("disk-space").unstarted(this::run);

    private DiskSpaceMonitor(long minFreeBytes, FreeSpace freeSpace) {
        this.minFreeBytes = minFreeBytes;
        this.freeSpace = freeSpace;
    }

    /** Watches the folders until it is closed. Folders may not exist yet. */
    public static DiskSpaceMonitor watch(DiskSettings settings, Collection<Path> folders, MeterRegistry registry) {
        return watch(settings, folders, registry, DiskSpaceMonitor::usableSpace);
    }

    /** As the other one, with another measurement. */
    public static DiskSpaceMonitor watch(
            DiskSettings settings, Collection<Path> folders, MeterRegistry registry, FreeSpace freeSpace) {
        var space = new DiskSpaceMonitor(settings.minFreeBytes(), freeSpace);
        for (Path folder : folders) {
            Path watched = folder.toAbsolutePath().normalize();
            space.free.put(watched, Long.MAX_VALUE);
            Gauge.builder("millrace.disk.free.bytes", space.free, free -> free.getOrDefault(watched, 0L))
                    .description("Free bytes on the disk of a folder that the process writes to")
                    .tag("folder", watched.toString())
                    .register(registry);
        }
        space.refresh();
        space.thread.start();
        return space;
    }

    /** Whether there is enough space for new reports. */
    public boolean hasRoomForReports() {
        return scarce.isEmpty();
    }

    /** Whether there is enough space to complete accepted reports: half of what new ones need. */
    public boolean hasRoomToFinish() {
        return scarce.values().stream().allMatch(bytes -> bytes >= minFreeBytes / 2);
    }

    /**
     * Returns an error that names the full disk and has the given error as its cause; the given
     * error where no disk is nearly full.
     */
    public Throwable explain(Throwable error) {
        if (error instanceof SettingsException) {
            return error; // its message says what to do
        }
        refresh();
        return fullest()
                .filter(folder -> !hasRoomToFinish())
                .<Throwable>map(folder -> new IllegalStateException(
                        "the disk of " + folder + " is full: " + free.get(folder) + " bytes are free", error))
                .orElse(error);
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private Optional<Path> fullest() {
        return new TreeMap<>(free)
                .entrySet().stream().min(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    private void run() {
        try {
            while (!Thread.interrupted()) {
                Thread.sleep(PERIOD);
                refresh();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void refresh() {
        for (Path folder : free.keySet()) {
            try {
                update(folder, freeSpace.bytesOf(folder));
            } catch (IOException e) {
                // Where it cannot be measured, writing to the folder will fail.
                update(folder, Long.MAX_VALUE);
            }
        }
    }

    private void update(Path folder, long bytes) {
        free.put(folder, bytes);
        boolean wasScarce = scarce.containsKey(folder);
        if (bytes < (wasScarce ? minFreeBytes + minFreeBytes / 10 : minFreeBytes)) {
            scarce.put(folder, bytes);
            if (!wasScarce) {
                LOG.warn(
                        "disk space low, not ready, no new reports folder={} freeBytes={} disk.min-free-bytes={}",
                        folder,
                        bytes,
                        minFreeBytes);
            }
        } else if (wasScarce) {
            scarce.remove(folder);
            LOG.info("disk space sufficient again folder={} freeBytes={}", folder, bytes);
        }
    }

    private static long usableSpace(Path folder) throws IOException {
        Path existing = folder;
        for (Path parent = existing.getParent();
                parent != null && Files.notExists(existing);
                parent = existing.getParent()) {
            existing = parent;
        }
        return Files.getFileStore(existing).getUsableSpace();
    }
}
