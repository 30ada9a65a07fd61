package millrace.processor.warehouse.duckdb;

import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import org.rocksdb.RocksDBException;

/** Reads a slice from an {@link EntityIndexFile}. Rows are filtered here, and their order is checked. */
final class EntityIndexRowStream extends MappedRowStream {
    private final SliceQuery slice;
    private final EntityIndexFile.Blocks blocks;
    private final Runnable onClose;
    private final RowFilter filter;
    private final RowOrder order;

    private int nextEntity;
    private String entity = "";
    private boolean entered;
    private RowBlock row = RowBlock.none();
    private volatile boolean cancelled;
    private boolean closed;

    public EntityIndexRowStream(SliceQuery slice, SliceColumns columns, EntityIndexFile index, Runnable onClose) {
        super(columns.places());
        this.slice = slice;
        this.blocks = index.blocks(columns.names());
        this.onClose = onClose;
        this.filter = new RowFilter(slice, columns.names());
        this.order = new RowOrder(slice, columns.names());
    }

    @Override
    public boolean next() throws WarehouseException {
        do {
            while (!row.next()) {
                if (!nextBlock()) {
                    return false;
                }
            }
        } while (!filter.takes(row));
        if (!order.follows(entity, row)) {
            throw WarehouseException.notSorted(slice);
        }
        return true;
    }

    private boolean nextBlock() throws WarehouseException {
        if (cancelled) {
            throw new WarehouseException(Reason.CANCELLED, "cancelled");
        }
        try {
            RowBlock next = entered ? blocks.next() : null;
            while (next == null) {
                if (nextEntity == slice.entities().size()) {
                    row = RowBlock.none();
                    entered = false;
                    return false;
                }
                entity = slice.entities().get(nextEntity++);
                blocks.enter(EntityIndexFile.prefix(
                        entity,
                        slice.query().dates().granularity().word(),
                        slice.query().subdomains()));
                entered = true;
                next = blocks.next();
            }
            row = next;
            return true;
        } catch (RocksDBException e) {
            throw new WarehouseException(
                    Reason.FAILED, slice.dataset().name() + ": its entity index cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    protected RowCells row() {
        return row;
    }

    @Override
    protected String entity() {
        return entity;
    }

    @Override
    public void cancel() {
        cancelled = true;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            blocks.close();
            onClose.run();
        }
    }
}
