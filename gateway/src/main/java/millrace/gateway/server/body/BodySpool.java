package millrace.gateway.server.body;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a body that has to be read twice: up to 64 KiB in memory, a longer one in a temporary file.
 * For one thread.
 */
public final class BodySpool extends OutputStream {
    static final int IN_MEMORY = 64 << 10;

    private final ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private final Path folder;
    private @Nullable Path file;
    private @Nullable OutputStream out;

    /** Long bodies lie in the folder of temporary files. */
    public BodySpool() {
        this(Path.of(System.getProperty("java.io.tmpdir")));
    }

    BodySpool(Path folder) {
        this.folder = folder;
    }

    /** The file cannot be written or read. The client is not to blame. */
    static final class UnusableException extends UncheckedIOException {
        private static final long serialVersionUID = 1;

        UnusableException(IOException cause) {
            super(cause);
        }
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        try {
            if (out == null && memory.size() + length > IN_MEMORY) {
                file = Files.createTempFile(folder, "millrace-request", ".json");
                out = Files.newOutputStream(file);
                memory.writeTo(out);
                memory.reset();
            }
            (out == null ? memory : out).write(bytes, offset, length);
        } catch (IOException e) {
            throw new UnusableException(e);
        }
    }

    /** What was written, from its beginning. Nothing may be written after it. */
    public InputStream read() {
        if (file == null || out == null) {
            return new ByteArrayInputStream(memory.toByteArray());
        }
        try {
            out.close();
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw new UnusableException(e);
        }
    }

    /** Deletes the file. */
    @Override
    public void close() {
        try {
            if (out != null) {
                out.close();
            }
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UnusableException(e);
        }
    }
}
