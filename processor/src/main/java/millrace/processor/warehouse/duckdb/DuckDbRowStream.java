package millrace.processor.warehouse.duckdb;

import java.sql.SQLException;
import java.util.function.Consumer;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import org.duckdb.DuckDBChunkedResult;
import org.jspecify.annotations.Nullable;

/** Reads a slice with several statements, and the result of each chunk by chunk. */
final class DuckDbRowStream extends MappedRowStream {
    private final SliceQuery slice;
    private final SliceReader reading;
    private final DuckDbSession session;
    private final Consumer<DuckDbSession> giveBack;
    private final ChunkRow row;

    private @Nullable DuckDBChunkedResult result;
    private long rowsOfStatement;
    private volatile boolean cancelled;
    private boolean closed;

    public DuckDbRowStream(
            SliceQuery slice, SliceReader reading, DuckDbSession session, Consumer<DuckDbSession> giveBack) {
        super(reading.places());
        this.slice = slice;
        this.reading = reading;
        this.session = session;
        this.giveBack = giveBack;
        this.row = new ChunkRow(reading.width());
    }

    @Override
    public boolean next() throws WarehouseException {
        do {
            while (!row.next()) {
                if (!nextRows()) {
                    return false;
                }
            }
        } while (!reading.takes(row));
        return true;
    }

    private boolean nextRows() throws WarehouseException {
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
        long rows = row.enter(result.chunk());
        rowsOfStatement += rows;
        return rows > 0;
    }

    private boolean nextStatement() throws WarehouseException {
        closeResult();
        long brought = rowsOfStatement;
        rowsOfStatement = 0;
        row.leave();
        try {
            result = reading.next(session, brought);
            return result != null;
        } catch (WarehouseException e) {
            checkCancelled();
            throw e;
        }
    }

    @Override
    protected RowCells row() {
        return row;
    }

    @Override
    protected String entity() {
        return reading.entity();
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
