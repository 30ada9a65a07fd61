package millrace.bench.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process, mostly on this class path, so that what is measured does not share heap, compiler or collector with its
 * load.
 */
public final class ChildProcess implements AutoCloseable {
    private static final String ENDED = "the process has ended";
    private static final String RECORDING =
            "-XX:StartFlightRecording:settings=profile,delay=20s,jdk.CPUTimeSample#enabled=true,jdk.CPUTimeSample#throttle=5ms,dumponexit=true,filename=";
    private static final Pattern USED = Pattern.compile("used (\\d+)K");
    private static volatile @Nullable Path recordings;

    private final Process process;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final List<String> last = new ArrayList<>();

    private ChildProcess(Process process) {
        this.process = process;
        // A virtual thread that reads from a process keeps its carrier, and there are two.
        Thread.ofPlatform().daemon().start(this::read);
    }

    /**
     * Has processes that are started from now on recorded, for {@code jfr view hot-methods}. A recording is written when
     * its process is stopped, and costs a few percent, so figures come from runs without.
     *
     * @param folder of the recordings
     */
    static void recordTo(Path folder) throws IOException {
        recordings = Files.createDirectories(folder).toAbsolutePath();
    }

    /** @param jvmOptions for example {@code -Xmx256m} */
    public static ChildProcess start(Class<?> main, List<String> jvmOptions, String... arguments) throws IOException {
        return start(List.of(), main, jvmOptions, arguments);
    }

    /** @param prefix of the command, for example {@code taskset -c 0} */
    public static ChildProcess start(List<String> prefix, Class<?> main, List<String> jvmOptions, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(jvmOptions);
        if (recordings != null) {
            command.add(RECORDING + recordings + "/" + main.getSimpleName() + "-%p.jfr");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return start(new ProcessBuilder(command));
    }

    /** Starts a program in a folder. */
    public static ChildProcess start(List<String> command, Path folder) throws IOException {
        return start(new ProcessBuilder(command).directory(folder.toFile()));
    }

    private static ChildProcess start(ProcessBuilder command) throws IOException {
        var child = new ChildProcess(command.redirectErrorStream(true).start());
        Runtime.getRuntime().addShutdownHook(new Thread(child.process::destroyForcibly));
        return child;
    }

    /**
     * Returns the next printed line that contains the word.
     *
     * @throws IllegalStateException if it does not appear in time, with the last lines
     */
    public String await(String word, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            String line = said.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null || line.equals(ENDED)) {
                if (line != null) {
                    said.add(line); // for the next call
                }
                throw new IllegalStateException("no " + word + (line == null ? " within " + timeout : ", " + ENDED)
                        + "; the last lines:\n" + lastLines());
            }
            if (line.contains(word)) {
                return line;
            }
        }
    }

    /** Sends a line to its standard input. */
    public void say(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** User and system time of all threads so far. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /**
     * The CPU of each thread that lives so far, in nanoseconds, by its name and id; the system cuts names after 15
     * characters. Linux only; elsewhere empty.
     */
    public Map<String, Long> threads() {
        Map<String, Long> all = new HashMap<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            for (Path thread : (Iterable<Path>) threads::iterator) {
                try {
                    String name = Files.readString(thread.resolve("comm")).strip();
                    // The first number are nanoseconds; those of "stat" are hundredths of a second.
                    String nanos = Files.readString(thread.resolve("schedstat")).split(" ", 2)[0];
                    all.put(name + " " + thread.getFileName(), Long.valueOf(nanos));
                } catch (IOException e) {
                    // The thread has ended.
                }
            }
        } catch (IOException e) {
            return Map.of();
        }
        return all;
    }

    /** Milliseconds of CPU that threads with such names have used between two looks at all threads. */
    public static double millis(Map<String, Long> before, Map<String, Long> after, Predicate<String> names) {
        return after.entrySet().stream()
                        .filter(thread -> names.test(thread.getKey()))
                        .mapToLong(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L))
                        .sum()
                / 1e6;
    }

    /** Live bytes of its heap after a full collection. */
    public long liveHeap() throws IOException, InterruptedException {
        jcmd("GC.run");
        Matcher used = USED.matcher(jcmd("GC.heap_info"));
        if (!used.find()) {
            throw new IllegalStateException("no size of the heap");
        }
        return Long.parseLong(used.group(1)) << 10;
    }

    private String jcmd(String what) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process asked = new ProcessBuilder(jcmd.toString(), Long.toString(pid()), what)
                .redirectErrorStream(true)
                .start();
        String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        asked.waitFor();
        return answer;
    }

    /** Most resident memory, in bytes. Linux only; elsewhere -1. */
    public long peakMemory() {
        return memory("VmHWM:");
    }

    /** Resident memory, in bytes. Linux only; elsewhere -1. */
    public long residentMemory() {
        return memory("VmRSS:");
    }

    private long memory(String field) {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        try {
            return Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith(field))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException e) {
            return -1;
        }
    }

    /** Ends the process as kill -9 does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** Asks the process to end, and waits for it. */
    public void end(Duration timeout) throws InterruptedException {
        // Uses the handle, which leaves the output open: a JVM that writes a cache at its end would fail to write to
        // a closed one.
        process.toHandle().destroy();
        if (!process.waitFor(timeout)) {
            throw new IllegalStateException("does not end; the last lines:\n" + lastLines());
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** What it printed last, at most 100 lines. */
    public String lastLines() {
        synchronized (last) {
            return String.join("\n", last);
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (last) {
                    last.add(line);
                    if (last.size() > 100) {
                        last.removeFirst();
                    }
                }
                said.add(line);
            }
        } catch (IOException e) {
            // It was killed.
        } finally {
            said.add(ENDED);
        }
    }
}
