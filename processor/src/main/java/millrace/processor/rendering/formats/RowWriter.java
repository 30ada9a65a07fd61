package millrace.processor.rendering.formats;

import java.io.IOException;

/**
 * Writes the rows of a slice in one format, cell after cell: the key columns, then the metrics. A file that is closed
 * without {@link #finish()} is not usable.
 */
public interface RowWriter extends AutoCloseable {

    /** @param cell the text of a cell of any type; empty where it is absent */
    void text(String cell) throws IOException;

    void integer(long cell) throws IOException;

    /** @param cell finite */
    void number(double cell) throws IOException;

    /** Writes a cell without a value. */
    void absent() throws IOException;

    void endRow() throws IOException;

    /** Completes the file after the last row. */
    void finish() throws IOException;

    @Override
    void close() throws IOException;
}
