package millrace.e2e.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The exit code and output of a process that has ended by itself. */
public record ProcessResult(int code, String out, String err, Duration took) {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    /** Runs a command to its end, with this environment. */
    public static ProcessResult run(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        return run(command, environment, TIMEOUT);
    }

    /** As the other one, of a command that may take longer. */
    public static ProcessResult run(List<String> command, Map<String, String> environment, Duration timeout)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("out", ".txt");
        Path err = Files.createTempFile("err", ".txt");
        var builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        long begin = System.nanoTime();
        Process process = builder.start();
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("does not end:\n" + Files.readString(out) + Files.readString(err));
            }
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            return new ProcessResult(process.exitValue(), Files.readString(out), Files.readString(err), took);
        } finally {
            process.destroyForcibly();
            Files.delete(out);
            Files.delete(err);
        }
    }
}
