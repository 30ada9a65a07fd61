package millrace.processor.importing.source;

import java.io.IOException;
import java.util.List;

/** The rows of one file, read one after the other. */
public interface RowSource extends AutoCloseable {
    /** The file's name as it was given. */
    String name();

    /** Names of the columns; empty where the file has none. */
    List<String> header();

    /** The next row, or false at the end. */
    boolean next() throws IOException;

    /** Cells of the current row, which may be more or fewer than columns. */
    int cells();

    /** A cell of the current row as text; empty where it is absent. */
    String cell(int column);

    /** Where the current row begins: its line in a CSV file, its number in others; from 1. */
    long line();

    /** How messages name a row: {@code mine.csv:17}. */
    String place(long line);

    /** How much of the file has been read, from 0 to 1. */
    double fraction();

    @Override
    void close() throws IOException;
}
