package millrace.e2e.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code ./millrace} as the launcher starts it: a separate JVM on a data folder. */
public final class MillraceProcess implements AutoCloseable {
    private static final Duration STOPPED = Duration.ofSeconds(5);
    private static final String READY = "Millrace is ready.";

    private final MainProcess program;

    private MillraceProcess(MainProcess program) {
        this.program = program;
    }

    /** Starts on free ports and returns. */
    public static MillraceProcess launch(Path data, String... arguments) throws IOException {
        return new MillraceProcess(MainProcess.launch(command(data, arguments)));
    }

    /** The command of {@link #launch}. The arguments override its defaults. */
    public static List<String> command(Path data, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--data=" + data, "--port=0"));
        all.addAll(List.of(arguments));
        return MainProcess.command("millrace.standalone.StandaloneMain", List.of(), all);
    }

    /** Starts and waits until the process prints that it is ready. */
    public static MillraceProcess start(Path data, String... arguments) throws IOException, InterruptedException {
        return ready(launch(data, arguments));
    }

    /** Starts with the script, which another command may precede, and waits as {@link #start(Path, String...)} does. */
    public static MillraceProcess start(List<String> script, Path data, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(script);
        command.addAll(List.of("--data=" + data, "--port=0"));
        command.addAll(List.of(arguments));
        return ready(new MillraceProcess(MainProcess.launch(command)));
    }

    private static MillraceProcess ready(MillraceProcess millrace) throws InterruptedException {
        // The welcome text is a single write, so its last line arrives with the first.
        if (!millrace.program.awaitOutput(output -> output.contains(READY) && output.contains("Ctrl-C stops"))) {
            millrace.close();
            throw new IllegalStateException("not ready:\n" + millrace.output());
        }
        return millrace;
    }

    /** The address of the gateway, {@code http://127.0.0.1:port}. */
    public String address() {
        return program.printed("address\\s+(\\S+)");
    }

    /** The address of the metrics, {@code http://127.0.0.1:port}. */
    public String management() {
        return program.printed("metrics=(http://[^/]+)/metrics");
    }

    public String bootstrapServers() {
        return program.printed("Kafka\\s+(\\S+:\\d+)");
    }

    /** The address of the admin API. */
    public String adminAddress() {
        return program.printed("admin API\\s+(\\S+)");
    }

    /** The command that the welcome text has for the admin API. */
    public String adminHint() {
        return program.printed("admin API\\s+\\S+\\s+\\((.+)\\)");
    }

    public String batchKey() {
        return program.printed("batch key\\s+(\\S+)");
    }

    public String restKey() {
        return program.printed("rest key\\s+(\\S+)");
    }

    public String webhookSecret() {
        return program.printed("webhook secret\\s+(\\S+)");
    }

    /** The output so far, of both streams. */
    public String output() {
        return program.output();
    }

    public long pid() {
        return program.pid();
    }

    /** Kills the process, as {@code kill -9} does; returns when it has ended. */
    public void kill() throws InterruptedException {
        program.kill();
    }

    /** Checks that the process is ready, as it has printed. */
    public void checkReady() {
        BatchApiClient.Answer ready =
                new BatchApiClient(management(), "", HttpClient.newHttpClient()).get("/health/ready");
        assertThat(ready.code()).as("%s", ready.body()).isEqualTo(200);
    }

    /** Stops the process with SIGTERM. It must end soon, with exit code 0 and without a stack trace. */
    public void checkStop() throws IOException, InterruptedException {
        checkEnd(program::stop);
    }

    /** As {@link #checkStop}, with SIGINT, as Ctrl-C does. */
    public void checkInterrupt() throws IOException, InterruptedException {
        checkEnd(program::interrupt);
    }

    /** Asks a process to end. */
    private interface Stop {
        int ask() throws IOException, InterruptedException;
    }

    private void checkEnd(Stop stop) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        int code = stop.ask();
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        assertThat(code).as(output()).isZero();
        assertThat(took).isLessThan(STOPPED);
        assertThat(output()).doesNotContain("\tat ");
    }

    public int exitCode() throws InterruptedException {
        return program.exitCode();
    }

    @Override
    public void close() {
        program.close();
    }
}
