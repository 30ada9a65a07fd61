package millrace.e2e;

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

/** A main class of Millrace in a JVM of its own, and what it has printed. */
final class MainProcess implements AutoCloseable {
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

    /** Starts and does not wait. The last of equal JVM options wins. */
    static MainProcess launch(String main, List<String> jvmOptions, List<String> arguments) throws IOException {
        return launch(command(main, jvmOptions, arguments));
    }

    static MainProcess launch(List<String> command) throws IOException {
        return new MainProcess(
                new ProcessBuilder(hearing(command)).redirectErrorStream(true).start());
    }

    /** Shells start what they run in the background deaf to Ctrl-C, and so is all that comes of that. */
    private static List<String> hearing(List<String> command) throws IOException {
        String ignored = status("self", "SigIgn");
        boolean deaf = !ignored.isEmpty() && (Long.parseUnsignedLong(ignored, 16) & (1L << (SIGINT - 1))) != 0;
        return deaf
                ? Stream.concat(Stream.of("env", "--default-signal=INT"), command.stream())
                        .toList()
                : command;
    }

    /** As the launcher does it, but without the second compiler: what it does only pays in a process that lives for longer. */
    static List<String> command(String main, List<String> jvmOptions, List<String> arguments) {
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

    /** Waits until its output satisfies this; false where it ended before that, or took too long. */
    boolean awaitOutput(Predicate<String> wanted) throws InterruptedException {
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

    /** The first group of the pattern's first match in what was printed. */
    String printed(String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(output());
        if (!matcher.find()) {
            throw new IllegalStateException("nothing like " + pattern + " was printed:\n" + output());
        }
        return matcher.group(1);
    }

    /** Everything printed so far, on both streams. */
    String output() {
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

    /** The most memory that it had, all in all, in bytes; 0 where the operating system does not tell. */
    long peakMemory() throws IOException {
        String kibibytes = status(Long.toString(pid()), "VmHWM").replaceAll("\\D", "");
        return kibibytes.isEmpty() ? 0 : Long.parseLong(kibibytes) * 1024;
    }

    /** What the operating system says of a process; empty where it does not tell. */
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

    /** As kill -9 does; returns when the process is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** By SIGTERM; the exit code. */
    int stop() throws InterruptedException {
        process.destroy();
        return exitCode();
    }

    /** As Ctrl-C does; the exit code. */
    int interrupt() throws IOException, InterruptedException {
        signal("INT");
        return exitCode();
    }

    /** @param name as of {@code kill}, for example STOP */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    }

    int exitCode() throws InterruptedException {
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
            // The process is gone, and with it its output.
        } finally {
            synchronized (output) {
                ended = true;
                output.notifyAll();
            }
        }
    }
}
