package millrace.processor.warehouse.duckdb;

import java.util.stream.IntStream;
import millrace.processor.warehouse.WarehouseException;
import org.duckdb.DuckDBChunkedResult;
import org.jspecify.annotations.Nullable;

/** Runs the statements that return the rows of a slice. */
interface SliceReader {
    /**
     * Runs the next statement; null where there is none.
     *
     * @param rows number of rows that the last statement returned
     */
    @Nullable
    DuckDBChunkedResult next(DuckDbSession session, long rows) throws WarehouseException;

    /** Number of columns of the statements. */
    int width();

    /**
     * For each column of the report the index of its column in the statements; -1 for the entity, where {@link
     * #entity()} returns it.
     */
    default int[] places() {
        return IntStream.range(0, width()).toArray();
    }

    /** Whether a row belongs to the report. */
    default boolean takes(ChunkRow row) throws WarehouseException {
        return true;
    }

    /** The entity of the row that was taken last. */
    default String entity() {
        throw new UnsupportedOperationException("read from its column");
    }
}
