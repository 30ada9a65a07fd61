package millrace.processor.warehouse.duckdb;

import java.time.LocalDate;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;

/**
 * The current row of a chunk. Reading a text is a native call, the most expensive part of a cell, so texts are cached
 * for the row.
 */
final class ChunkRow implements RowCells {
    private final DuckDBReadableVector[] columns;
    private final @Nullable String[] texts;
    private long row;
    private long rows;

    public ChunkRow(int width) {
        this.columns = new DuckDBReadableVector[width];
        this.texts = new @Nullable String[width];
    }

    /** Moves before the first row of a chunk. Returns the number of its rows. */
    public long enter(DuckDBDataChunkReader chunk) {
        for (int i = 0; i < columns.length; i++) {
            columns[i] = chunk.vector(i);
        }
        row = -1;
        rows = chunk.rowCount();
        return rows;
    }

    /** Releases the chunk. */
    void leave() {
        rows = 0;
    }

    /** Moves to the next row; false at the end of the chunk. */
    public boolean next() {
        java.util.Arrays.fill(texts, null);
        return ++row < rows;
    }

    @Override
    public boolean isNull(int column) {
        return columns[column].isNull(row);
    }

    @Override
    public String text(int column) {
        String known = texts[column];
        if (known == null) {
            known = columns[column].getString(row);
            texts[column] = known;
        }
        return known;
    }

    @Override
    public LocalDate date(int column) {
        return columns[column].getLocalDate(row);
    }

    @Override
    public long integer(int column) {
        return columns[column].getLong(row);
    }

    @Override
    public double number(int column) {
        return columns[column].getDouble(row);
    }
}
