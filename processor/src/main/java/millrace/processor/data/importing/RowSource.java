package millrace.processor.data.importing;

import java.io.IOException;
import java.util.List;

/** The rows of one file, read one after the other. */
interface RowSource extends AutoCloseable {
    /** The file's name as it was given. */
    String name();

    /** Names of the columns; empty where the file has none. */
    List<String> header();

    /** Moves to the next row; false at the end. */
    boolean next() throws IOException;

    /** Number of cells in the current row, which may differ from the number of columns. */
    int cells();

    /** A cell of the current row as text; empty where it is absent. */
    String cell(int column);

    /** Where the current row begins, from 1: its line in a CSV file, its number in others. */
    long line();

    /** The name of a row in messages: {@code mine.csv:17}. */
    String place(long line);

    /** The part of the file that has been read, from 0 to 1. */
    double fraction();

    @Override
    void close() throws IOException;
}
