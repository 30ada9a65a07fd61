package millrace.processor.warehouse;

import java.util.List;
import org.duckdb.DuckDBChunkedResult;
import org.jspecify.annotations.Nullable;

/** Lets the engine find, filter and sort: for files of which nothing is known. */
final class SortedReading implements Reading {
    private final SliceSql sql;
    private final EntityChunks chunks;
    private final int width;

    SortedReading(SliceQuery slice, SliceSql sql) {
        this.sql = sql;
        this.chunks = new EntityChunks(slice.entities(), slice.rowsPerEntity(), slice.dense());
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
