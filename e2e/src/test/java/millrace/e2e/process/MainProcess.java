package millrace.e2e.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A main class of Millrace in a separate JVM, and its output. */
public final class MainProcess implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final int SIGINT = 2;

    private final Process process;
    private final StringBuilder output = new StringBuilder();
    private final Thread reader;
    private boolean ended;

    private MainProcess(Process process) {
        this.process = process;
        ProcessOutputOnFailure.started(this);
        this.reader = Thread.ofVirtual().start(this::read);
    }

    /** Starts the process and returns. The last of equal JVM options counts. */
    static MainProcess launch(String main, List<String> jvmOptions, List<String> arguments) throws IOException {
        return launch(command(main, jvmOptions, arguments));
    }

    public static MainProcess launch(List<String> command) throws IOException {
        return new MainProcess(new ProcessBuilder(interruptible(command))
                .redirectErrorStream(true)
                .start());
    }

    /**
     * A shell starts background processes with SIGINT ignored, which child processes inherit; this command resets it.
     */
    private static List<String> interruptible(List<String> command) throws IOException {
        String ignored = status("self", "SigIgn");
        boolean ignoresInterrupt =
                !ignored.isEmpty() && (Long.parseUnsignedLong(ignored, 16) & (1L << (SIGINT - 1))) != 0;
        return ignoresInterrupt
                ? Stream.concat(Stream.of("env", "--default-signal=INT"), command.stream())
                        .toList()
                : command;
    }

    /** The command of the launcher, but without the C2 compiler, which only pays in processes that run longer. */
    public static List<String> command(String main, List<String> jvmOptions, List<String> arguments) {
        String app = System.getProperty("app", "../standalone/target/app");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", app + "/millrace/*:" + app + "/lib/*", main));
        command.addAll(arguments);
        return command;
    }

    /**
     * Waits until the output satisfies the predicate. Returns false where the process ended before, or after a timeout.
     */
    public boolean awaitOutput(Predicate<String> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        synchronized (output) {
            while (!wanted.test(output.toString())) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (ended || left <= 0) {
                    return false;
                }
                output.wait(left);
            }
            return true;
        }
    }

    /** The first group of the pattern's first match in the output. */
    public String printed(String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(output());
        if (!matcher.find()) {
            throw new IllegalStateException("nothing like " + pattern + " was printed:\n" + output());
        }
        return matcher.group(1);
    }

    /** The output so far, of both streams. */
    public String output() {
        synchronized (output) {
            return output.toString();
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** The peak memory of the process in bytes; 0 where the operating system does not provide it. */
    public long peakMemory() throws IOException {
        String kibibytes = status(Long.toString(pid()), "VmHWM").replaceAll("\\D", "");
        return kibibytes.isEmpty() ? 0 : Long.parseLong(kibibytes) * 1024;
    }

    /** A field of {@code /proc/PID/status}; empty where there is none. */
    private static String status(String process, String field) throws IOException {
        Path status = Path.of("/proc", process, "status");
        if (!Files.exists(status)) {
            return "";
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** Kills the process, as {@code kill -9} does; returns when it has ended. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Stops the process with SIGTERM; returns the exit code. */
    public int stop() throws InterruptedException {
        process.destroy();
        return exitCode();
    }

    /** Interrupts the process, as Ctrl-C does; returns the exit code. */
    int interrupt() throws IOException, InterruptedException {
        signal("INT");
        return exitCode();
    }

    /** @param name of the signal, for example STOP */
    public void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    }

    /** Waits until the process has ended by itself. */
    public int exitCode() throws InterruptedException {
        if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("does not end:\n" + output());
        }
        reader.join();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (output) {
                    output.append(line).append('\n');
                    output.notifyAll();
                }
            }
        } catch (IOException e) {
            // the process has ended, and its output is closed
        } finally {
            synchronized (output) {
                ended = true;
                output.notifyAll();
            }
        }
    }
}
