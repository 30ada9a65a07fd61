package millrace.runtime.aot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** JVMs like this one. */
final class JavaProcess {
    static final Duration TIMEOUT = Duration.ofMinutes(3);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private JavaProcess() {}

    /** Whether a process has got as far as it should. */
    @FunctionalInterface
    interface Condition {
        boolean isMet() throws InterruptedException;
    }

    /** @param log gets what it prints */
    static Process start(List<String> arguments, Path log) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** @throws IOException where it ends before, or takes too long, with what it has printed */
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
