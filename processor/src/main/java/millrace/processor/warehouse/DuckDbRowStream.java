package millrace.processor.warehouse;

import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Consumer;
import millrace.processor.warehouse.WarehouseException.Reason;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;

/** Reads a slice statement by statement, each for a few of its entities, and each result chunk by chunk of columns. */
final class DuckDbRowStream implements RowStream {
    private final SliceQuery slice;
    private final SliceSql sql;
    private final DuckDbSession session;
    private final Consumer<DuckDbSession> giveBack;
    private final EntityChunks chunks;
    private final DuckDBReadableVector[] columns;

    private @Nullable DuckDBChunkedResult result;
    private long row;
    private long rows;
    private long rowsOfStatement;
    private volatile boolean cancelled;
    private boolean closed;

    DuckDbRowStream(SliceQuery slice, SliceSql sql, DuckDbSession session, Consumer<DuckDbSession> giveBack) {
        this.slice = slice;
        this.sql = sql;
        this.session = session;
        this.giveBack = giveBack;
        this.chunks = new EntityChunks(slice.entities(), slice.rowsPerEntity(), slice.dense());
        this.columns = new DuckDBReadableVector
                [slice.layout().keyColumns().size() + slice.layout().metrics().size()];
    }

    @Override
    public boolean next() throws WarehouseException {
        if (++row < rows) {
            return true;
        }
        while (!nextChunk()) {
            if (!nextStatement()) {
                return false;
            }
        }
        return true;
    }

    private boolean nextChunk() throws WarehouseException {
        checkCancelled();
        if (result == null || !result.nextChunk()) {
            return false;
        }
        var chunk = result.chunk();
        for (int i = 0; i < columns.length; i++) {
            columns[i] = chunk.vector(i);
        }
        row = 0;
        rows = chunk.rowCount();
        rowsOfStatement += rows;
        return rows > 0;
    }

    private boolean nextStatement() throws WarehouseException {
        closeResult();
        List<String> entities = chunks.next(rowsOfStatement);
        rowsOfStatement = 0;
        rows = 0;
        if (entities.isEmpty()) {
            return false;
        }
        int branches = SliceSql.branches(entities.size());
        try {
            result = session.query(sql.text(branches), statement -> sql.bind(statement, entities, branches));
            return true;
        } catch (WarehouseException e) {
            checkCancelled();
            throw e;
        }
    }

    @Override
    public boolean absent(int column) {
        return columns[column].isNull(row);
    }

    @Override
    public String text(int column) {
        return columns[column].getString(row);
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

    @Override
    public synchronized void cancel() {
        cancelled = true;
        if (!closed) {
            session.cancel();
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            try {
                closeResult();
            } catch (WarehouseException e) {
                session.cancel();
            }
            giveBack.accept(session);
        }
    }

    private void checkCancelled() throws WarehouseException {
        if (cancelled) {
            throw new WarehouseException(Reason.CANCELLED, "cancelled");
        }
    }

    private void closeResult() throws WarehouseException {
        if (result != null) {
            try {
                result.close();
                result = null;
            } catch (SQLException e) {
                throw new WarehouseException(
                        Reason.FAILED, slice.dataset().name() + ": a result cannot be closed: " + e.getMessage(), e);
            }
        }
    }
}
