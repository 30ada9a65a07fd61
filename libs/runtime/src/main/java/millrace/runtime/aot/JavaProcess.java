package millrace.runtime.aot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Starts JVMs with this JVM's java command, and waits for them. */
final class JavaProcess {
    static final Duration TIMEOUT = Duration.ofMinutes(3);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private JavaProcess() {}

    /** A condition that a process is to reach. */
    @FunctionalInterface
    interface Condition {
        boolean isMet() throws InterruptedException;
    }

    /** @param log file for the output of the process */
    static Process start(List<String> arguments, Path log) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /**
     * @throws IOException where the process ends first or the condition takes too long; contains
     *     the output
     */
    static void await(Process process, Path log, Condition condition) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.isMet()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("it does not get ready:\n" + Files.readString(log));
            }
            Thread.sleep(POLL_INTERVAL);
        }
    }
}
