package millrace.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.utils.Exit;

/**
 * Prints a last line where Kafka ends the process because it cannot write its log. The line names
 * the folder and says whether its disk is full.
 */
final class LogDirFailure {
    /** Less than Kafka needs for the index of a new segment. */
    private static final long FULL = 2L << 20;

    private LogDirFailure() {}

    static void reportOnExit(Path log) {
        Exit.Procedure end = (code, message) -> {
            System.err.println("fatal: " + sentence(log));
            System.err.flush();
            Runtime.getRuntime().halt(code);
        };
        Exit.setHaltProcedure(end);
        Exit.setExitProcedure(end);
    }

    private static String sentence(Path log) {
        try {
            long free = Files.getFileStore(log).getUsableSpace();
            if (free < FULL) {
                return "the disk of " + log + " is full (" + free
                        + " bytes are free): Kafka cannot go on. Make room and start again; what was accepted is there.";
            }
        } catch (IOException e) {
            return log + " cannot be read, so Kafka cannot go on: " + e;
        }
        return "Kafka cannot go on; its log is in " + log;
    }
}
