package millrace.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * CPU time of a Linux process, in seconds.
 *
 * @param own of the process itself
 * @param children of those of its child processes that have ended, with theirs
 */
record CpuTime(double own, double children) {
    private static final double TICKS_PER_SECOND = 100;
    /** Of {@code /proc/<pid>/stat}, counted from the state that follows the name. */
    private static final int USER = 11;

    /** Zero where the system has no {@code /proc}. */
    static CpuTime of(long pid) {
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        if (!Files.exists(stat)) {
            return new CpuTime(0, 0);
        }
        try {
            String text = Files.readString(stat);
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
            return new CpuTime(seconds(fields, USER), seconds(fields, USER + 2));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    double total() {
        return own + children;
    }

    private static double seconds(String[] fields, int first) {
        return (Long.parseLong(fields[first]) + Long.parseLong(fields[first + 1])) / TICKS_PER_SECOND;
    }
}
