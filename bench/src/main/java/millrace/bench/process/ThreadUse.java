package millrace.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What threads have used.
 *
 * @param cpu user and system time
 * @param wakeUps how often a thread went on after it had waited for something
 */
public record ThreadUse(Duration cpu, long wakeUps) {
    private static final ThreadUse NOTHING = new ThreadUse(Duration.ZERO, 0);
    private static final Pattern NUMBERS = Pattern.compile("[-0-9 ]+$");

    /** @param folder of a thread, as in {@code /proc/1/task/1} */
    static ThreadUse of(Path folder) throws IOException {
        // The first number are nanoseconds; those of "stat" are hundredths of a second.
        String nanos = Files.readString(folder.resolve("schedstat")).split(" ", 2)[0];
        long switches = Files.readAllLines(folder.resolve("status")).stream()
                .filter(line -> line.startsWith("voluntary_ctxt_switches:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
        return new ThreadUse(Duration.ofNanos(Long.parseLong(nanos)), switches);
    }

    /** What threads have used between two looks, by their names without the numbers at the end. */
    public static Map<String, ThreadUse> between(Map<String, ThreadUse> before, Map<String, ThreadUse> after) {
        Map<String, ThreadUse> used = new HashMap<>();
        after.forEach((thread, use) -> used.merge(
                NUMBERS.matcher(thread).replaceAll(""),
                use.minus(before.getOrDefault(thread, NOTHING)),
                ThreadUse::plus));
        return used;
    }

    /** Milliseconds of CPU of the threads with such names. */
    public static double millis(Map<String, ThreadUse> used, Predicate<String> names) {
        return used.entrySet().stream()
                .filter(thread -> names.test(thread.getKey()))
                .mapToDouble(thread -> thread.getValue().cpu().toNanos() / 1e6)
                .sum();
    }

    /** Prints the greatest of them, each divided by the number of what was done meanwhile. */
    public static void print(Map<String, ThreadUse> used, int greatest, long done) {
        used.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(
                        Comparator.comparing(ThreadUse::cpu).reversed()))
                .limit(greatest)
                .forEach(part -> Output.print(
                        "  %-16s %,.1f us, %.2f wake-ups",
                        part.getKey(),
                        part.getValue().cpu().toNanos() / 1e3 / done,
                        part.getValue().wakeUps() / (double) done));
    }

    private ThreadUse plus(ThreadUse other) {
        return new ThreadUse(cpu.plus(other.cpu), wakeUps + other.wakeUps);
    }

    private ThreadUse minus(ThreadUse other) {
        return new ThreadUse(cpu.minus(other.cpu), wakeUps - other.wakeUps);
    }
}
