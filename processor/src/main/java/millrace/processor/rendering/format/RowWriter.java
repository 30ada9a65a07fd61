package millrace.processor.rendering.format;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes the rows of a slice in one format. A file that is closed without {@link #finish()} is not usable. */
public interface RowWriter extends AutoCloseable {

    /**
     * @param key texts of the key columns; empty where absent
     * @param values texts of the metrics; null where absent
     */
    void row(String[] key, @Nullable String[] values) throws IOException;

    /** Completes the file after the last row. */
    void finish() throws IOException;

    @Override
    void close() throws IOException;
}
