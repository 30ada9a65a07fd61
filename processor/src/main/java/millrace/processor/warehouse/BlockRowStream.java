package millrace.processor.warehouse;

import millrace.processor.warehouse.WarehouseException.Reason;
import org.rocksdb.RocksDBException;

/** Reads a slice from an {@link EntityCopy}: filters here, and checks the order on the way. */
final class BlockRowStream extends CellStream {
    private final SliceQuery slice;
    private final EntityCopy.Blocks blocks;
    private final Runnable onClose;
    private final RowFilter filter;
    private final RowOrder order;

    private int nextEntity;
    private String entity = "";
    private boolean entered;
    private Block row = Block.none();
    private volatile boolean cancelled;
    private boolean closed;

    BlockRowStream(SliceQuery slice, SliceColumns columns, EntityCopy copy, Runnable onClose) {
        super(columns.places());
        this.slice = slice;
        this.blocks = copy.blocks(columns.names());
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
            Block next = entered ? blocks.next() : null;
            while (next == null) {
                if (nextEntity == slice.entities().size()) {
                    row = Block.none();
                    entered = false;
                    return false;
                }
                entity = slice.entities().get(nextEntity++);
                blocks.enter(EntityCopy.prefix(
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
                    Reason.FAILED, slice.dataset().name() + ": its copy cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    Cells row() {
        return row;
    }

    @Override
    String entity() {
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
