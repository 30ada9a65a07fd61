package millrace.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code ./millrace} as the launcher starts it: a JVM of its own on a data folder. */
final class MillraceProcess implements AutoCloseable {
    private static final Duration STOPPED = Duration.ofSeconds(5);
    private static final String READY = "Millrace is ready.";

    private final MainProcess program;

    private MillraceProcess(MainProcess program) {
        this.program = program;
    }

    /** Starts, on ports that are free, and does not wait. */
    static MillraceProcess launch(Path data, String... arguments) throws IOException {
        return new MillraceProcess(MainProcess.launch(command(data, arguments)));
    }

    /** What {@link #launch} runs; the arguments win over what it adds itself. */
    static List<String> command(Path data, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--data=" + data, "--port=0"));
        all.addAll(List.of(arguments));
        return MainProcess.command("millrace.standalone.StandaloneMain", List.of(), all);
    }

    /** Starts and waits until it says that it is ready. */
    static MillraceProcess start(Path data, String... arguments) throws IOException, InterruptedException {
        return ready(launch(data, arguments));
    }

    /** {@link #start} by the script, or by a command before it. */
    static MillraceProcess start(List<String> script, Path data, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(script);
        command.addAll(List.of("--data=" + data, "--port=0"));
        command.addAll(List.of(arguments));
        return ready(new MillraceProcess(MainProcess.launch(command)));
    }

    private static MillraceProcess ready(MillraceProcess millrace) throws InterruptedException {
        // The whole welcome is one write; its last line comes with the first.
        if (!millrace.program.awaitOutput(said -> said.contains(READY) && said.contains("Ctrl-C stops"))) {
            millrace.close();
            throw new IllegalStateException("not ready:\n" + millrace.output());
        }
        return millrace;
    }

    /** Of the gateway, {@code http://127.0.0.1:port}. */
    String address() {
        return program.printed("address\\s+(\\S+)");
    }

    /** Of the metrics, {@code http://127.0.0.1:port}. */
    String management() {
        return program.printed("metrics=(http://[^/]+)/metrics");
    }

    String bootstrapServers() {
        return program.printed("Kafka\\s+(\\S+:\\d+)");
    }

    /** Of the admin API. */
    String adminAddress() {
        return program.printed("admin API\\s+(\\S+)");
    }

    /** The command that the welcome names beside it. */
    String adminHint() {
        return program.printed("admin API\\s+\\S+\\s+\\((.+)\\)");
    }

    String batchKey() {
        return program.printed("batch key\\s+(\\S+)");
    }

    String restKey() {
        return program.printed("rest key\\s+(\\S+)");
    }

    String webhookSecret() {
        return program.printed("webhook secret\\s+(\\S+)");
    }

    /** Everything printed so far, on both streams. */
    String output() {
        return program.output();
    }

    long pid() {
        return program.pid();
    }

    /** As kill -9 does; returns when the process is gone. */
    void kill() throws InterruptedException {
        program.kill();
    }

    /** Whoever prints that it is ready must be. */
    void checkReady() {
        BatchApiClient.Answer ready =
                new BatchApiClient(management(), "", HttpClient.newHttpClient()).get("/health/ready");
        assertThat(ready.code()).as("%s", ready.body()).isEqualTo(200);
    }

    /** Stops it by SIGTERM; it must end soon, well and without a stack trace. */
    void checkStop() throws IOException, InterruptedException {
        checkEnd(program::stop);
    }

    /** {@link #checkStop} as Ctrl-C does. */
    void checkInterrupt() throws IOException, InterruptedException {
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

    int exitCode() throws InterruptedException {
        return program.exitCode();
    }

    @Override
    public void close() {
        program.close();
    }
}
