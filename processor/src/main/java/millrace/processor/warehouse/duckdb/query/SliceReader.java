package millrace.processor.warehouse.duckdb.query;

import java.util.stream.IntStream;
import millrace.processor.warehouse.WarehouseException;
import org.duckdb.DuckDBChunkedResult;
import org.jspecify.annotations.Nullable;

/** How the rows of a slice are asked for, statement by statement. */
public interface SliceReader {
    /**
     * Runs the next statement; null where there is none.
     *
     * @param rows how many the last statement brought
     */
    @Nullable
    DuckDBChunkedResult next(DuckDbSession session, long rows) throws WarehouseException;

    /** How many columns its statements bring. */
    int width();

    /** Which of them is a column of the report; -1 for the entity, where {@link #entity()} tells it. */
    default int[] places() {
        return IntStream.range(0, width()).toArray();
    }

    /** Whether a row belongs to the report. */
    default boolean takes(ChunkRow row) throws WarehouseException {
        return true;
    }

    /** Of the row that was taken last. */
    default String entity() {
        throw new UnsupportedOperationException("read from its column");
    }
}
