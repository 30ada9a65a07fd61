package millrace.bench.beside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import millrace.bench.process.ChildProcess;

/** What processes have used together with the processes that they have started. Linux only; elsewhere nothing. */
record ProcessTrees(List<ChildProcess> roots) {
    /** Hundredths of a second. */
    private static final Duration TICK = Duration.ofMillis(10);

    /** Where {@code /proc/1/stat} has, after the name, the times of the process and of its children that have ended. */
    private static final int USER = 11;

    private static final int SYSTEM_OF_CHILDREN = 14;

    /** User and system time so far, also that of processes that have ended. */
    Duration cpu() {
        return TICK.multipliedBy(pids().mapToLong(ProcessTrees::ticks).sum());
    }

    /** Resident bytes. A page that several processes share is divided among them. */
    long memory() {
        return pids().mapToLong(ProcessTrees::bytes).sum();
    }

    private Stream<Long> pids() {
        return roots.stream()
                .flatMap(root -> ProcessHandle.of(root.pid()).stream())
                .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
                .map(ProcessHandle::pid);
    }

    private static long ticks(long pid) {
        String stat = read(pid, "stat");
        // The name, in brackets, may have spaces.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return fields.length <= SYSTEM_OF_CHILDREN
                ? 0
                : Arrays.stream(fields, USER, SYSTEM_OF_CHILDREN + 1)
                        .mapToLong(Long::parseLong)
                        .sum();
    }

    private static long bytes(long pid) {
        return read(pid, "smaps_rollup")
                .lines()
                .filter(line -> line.startsWith("Pss:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .sum();
    }

    private static String read(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), file));
        } catch (AccessDeniedException e) {
            throw new UncheckedIOException("the memory of another user's process needs the capability SYS_PTRACE", e);
        } catch (IOException e) {
            return ""; // it has ended meanwhile
        }
    }
}
