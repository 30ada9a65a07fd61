package millrace.processor.rendering.format;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes the rows of a slice in one format. Closed without {@link #finish()}, what it wrote is of no use. */
public interface RowWriter extends AutoCloseable {

    /**
     * @param key texts of the key columns; empty where absent
     * @param values texts of the metrics; null where absent
     */
    void row(String[] key, @Nullable String[] values) throws IOException;

    /** Writes what is still missing, after the last row. */
    void finish() throws IOException;

    @Override
    void close() throws IOException;
}
