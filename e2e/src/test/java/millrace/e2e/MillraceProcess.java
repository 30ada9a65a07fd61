package millrace.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code ./millrace} as the launcher starts it: a JVM of its own on a data folder. */
final class MillraceProcess implements AutoCloseable {
    private static final String READY = "Millrace is ready.";
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Process process;
    private final StringBuilder output = new StringBuilder();
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Thread reader;

    private MillraceProcess(Process process) {
        this.process = process;
        this.reader = Thread.ofVirtual().start(this::read);
    }

    /** Starts, on ports that are free, and does not wait. */
    static MillraceProcess launch(Path data, String... arguments) throws IOException {
        return new MillraceProcess(new ProcessBuilder(command(data, arguments))
                .redirectErrorStream(true)
                .start());
    }

    /** What {@link #launch} runs; the arguments win over what it adds itself. */
    static List<String> command(Path data, String... arguments) {
        String app = System.getProperty("app", "../standalone/target/app");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                app + "/millrace/*:" + app + "/lib/*",
                "millrace.standalone.StandaloneMain",
                "--data=" + data,
                "--port=0"));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Starts and waits until it says that it is ready. */
    static MillraceProcess start(Path data, String... arguments) throws IOException, InterruptedException {
        MillraceProcess millrace = launch(data, arguments);
        if (!millrace.ready.await(PATIENCE.toSeconds(), TimeUnit.SECONDS) || !millrace.process.isAlive()) {
            millrace.close();
            throw new IllegalStateException("not ready:\n" + millrace.output());
        }
        return millrace;
    }

    /** Of the gateway, {@code http://127.0.0.1:port}. */
    String address() {
        return printed("address\\s+(\\S+)");
    }

    String bootstrapServers() {
        return printed("Kafka\\s+(\\S+:\\d+)");
    }

    String batchKey() {
        return printed("batch key\\s+(\\S+)");
    }

    String restKey() {
        return printed("rest key\\s+(\\S+)");
    }

    String webhookSecret() {
        return printed("webhook secret\\s+(\\S+)");
    }

    /** Everything printed so far, on both streams. */
    String output() {
        synchronized (output) {
            return output.toString();
        }
    }

    long pid() {
        return process.pid();
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
        new ProcessBuilder("kill", "-INT", Long.toString(pid())).start().waitFor();
        return exitCode();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("does not end:\n" + output());
        }
        reader.join();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private String printed(String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(output());
        if (!matcher.find()) {
            throw new IllegalStateException("nothing like " + pattern + " was printed:\n" + output());
        }
        return matcher.group(1);
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            boolean announced = false;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (output) {
                    output.append(line).append('\n');
                }
                // The whole welcome is one write; its last line comes with the first.
                announced |= line.contains(READY);
                if (announced && line.contains("Ctrl-C stops")) {
                    ready.countDown();
                }
            }
        } catch (IOException e) {
            // The process is gone, and with it its output.
        } finally {
            ready.countDown();
        }
    }
}
