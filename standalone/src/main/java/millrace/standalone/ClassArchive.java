package millrace.standalone;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import org.jspecify.annotations.Nullable;

/**
 * A process that writes down, for later starts, the classes that a start loads. The launcher says
 * which, where they are not written down yet. It runs beside a service that is ready, and ends with
 * it.
 */
final class ClassArchive implements AutoCloseable {
    private final @Nullable Process writer;

    private ClassArchive(@Nullable Process writer) {
        this.writer = writer;
    }

    /** Starts the process, and does not wait for it. */
    static ClassArchive write() throws IOException {
        String launcher = System.getProperty("millrace.archive-classes");
        return new ClassArchive(
                launcher == null
                        ? null
                        : new ProcessBuilder(launcher, "archive-classes")
                                .redirectOutput(Redirect.DISCARD)
                                .redirectError(Redirect.DISCARD)
                                .start());
    }

    @Override
    public void close() {
        if (writer != null) {
            // A JVM that is asked to end would write what it has by then. The script tidies up.
            writer.descendants().forEach(ProcessHandle::destroyForcibly);
            writer.destroy();
        }
    }
}
