package millrace.processor.warehouse.duckdb;

import java.util.List;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.WarehouseException;
import org.duckdb.DuckDBChunkedResult;
import org.jspecify.annotations.Nullable;

/** Lets the engine search, filter and sort, for files whose order is unknown. */
final class SortingSliceReader implements SliceReader {
    private final SliceSql sql;
    private final EntityBatches chunks;
    private final int width;

    public SortingSliceReader(SliceQuery slice, SliceSql sql) {
        this.sql = sql;
        this.chunks = new EntityBatches(slice.entities(), slice.rowsPerEntity(), slice.dense());
        this.width =
                slice.layout().keyColumns().size() + slice.layout().metrics().size();
    }

    @Override
    public @Nullable DuckDBChunkedResult next(DuckDbSession session, long rows) throws WarehouseException {
        List<String> entities = chunks.next(rows);
        if (entities.isEmpty()) {
            return null;
        }
        int branches = SliceSql.branches(entities.size());
        return session.query(sql.text(branches), statement -> sql.bind(statement, entities, branches));
    }

    @Override
    public int width() {
        return width;
    }
}
