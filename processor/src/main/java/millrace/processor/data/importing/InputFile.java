package millrace.processor.data.importing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Opens files for reading, pipes among them. */
final class InputFile {
    private InputFile() {}

    /**
     * Opens a file. Opening a pipe waits until another process opens it for writing.
     *
     * @param timeout of that wait
     * @throws IOException where the file cannot be opened, or no process writes to the pipe
     */
    static InputStream open(Path file, Duration timeout) throws IOException {
        if (Files.isRegularFile(file)) {
            return Files.newInputStream(file);
        }
        var opened = new CompletableFuture<InputStream>();
        // A thread that opens a pipe cannot be interrupted; as a daemon it does not keep the process alive.
        Thread.ofPlatform().daemon().name("open-pipe").start(() -> {
            try {
                opened.complete(Files.newInputStream(file));
            } catch (IOException | RuntimeException e) {
                opened.completeExceptionally(e);
            }
        });
        try {
            return opened.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            var unused = opened.thenAccept(InputFile::close);
            throw new IOException("nobody has written to this pipe for " + timeout.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void close(InputStream late) {
        try {
            late.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
