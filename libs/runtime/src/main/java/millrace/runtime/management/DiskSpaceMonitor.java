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
 * Looks twice a second how much room there is in the folders that this process writes to, so that new work is refused while what
 * was accepted can still be done. Answers come from memory.
 */
public final class DiskSpaceMonitor implements AutoCloseable {
    /** Free bytes of the disk that a folder is on. */
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

    /** Goes on until it is closed; folders that are not there yet are on the disk of the folder that they will be in. */
    public static DiskSpaceMonitor watch(DiskSettings settings, Collection<Path> folders, MeterRegistry registry) {
        return watch(settings, folders, registry, DiskSpaceMonitor::freeNow);
    }

    /** As the other one, with other eyes. */
    public static DiskSpaceMonitor watch(
            DiskSettings settings, Collection<Path> folders, MeterRegistry registry, FreeSpace freeSpace) {
        var space = new DiskSpaceMonitor(settings.minFreeBytes(), freeSpace);
        for (Path folder : folders) {
            Path watched = folder.toAbsolutePath().normalize();
            space.free.put(watched, Long.MAX_VALUE);
            Gauge.builder("millrace.disk.free.bytes", space.free, free -> free.getOrDefault(watched, 0L))
                    .description("Room on the disk of a folder that is written to")
                    .tag("folder", watched.toString())
                    .register(registry);
        }
        space.refresh();
        space.thread.start();
        return space;
    }

    /** Whether there is enough for new work. */
    public boolean hasRoomForReports() {
        return scarce.isEmpty();
    }

    /** Whether there is enough to go on with what was accepted: half of what new work needs. */
    public boolean hasRoomToFinish() {
        return scarce.values().stream().allMatch(bytes -> bytes >= minFreeBytes / 2);
    }

    /** The error, or where a disk is as good as full, an error that says so and has it as its cause. */
    public Throwable explain(Throwable error) {
        if (error instanceof SettingsException) {
            return error; // which says what to do
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
                // Where it cannot be told, whoever writes there will be.
                update(folder, Long.MAX_VALUE);
            }
        }
    }

    private void update(Path folder, long bytes) {
        free.put(folder, bytes);
        boolean was = scarce.containsKey(folder);
        if (bytes < (was ? minFreeBytes + minFreeBytes / 10 : minFreeBytes)) {
            scarce.put(folder, bytes);
            if (!was) {
                LOG.warn(
                        "{} has {} bytes free, less than disk.min-free-bytes ({}): not ready, and no new reports, until it has more",
                        folder,
                        bytes,
                        minFreeBytes);
            }
        } else if (was) {
            scarce.remove(folder);
            LOG.info("{} has {} bytes free again", folder, bytes);
        }
    }

    private static long freeNow(Path folder) throws IOException {
        Path there = folder;
        for (Path parent = there.getParent(); parent != null && Files.notExists(there); parent = there.getParent()) {
            there = parent;
        }
        return Files.getFileStore(there).getUsableSpace();
    }
}
