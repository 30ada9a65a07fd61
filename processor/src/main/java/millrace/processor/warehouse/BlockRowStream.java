package millrace.processor.warehouse;

import java.time.LocalDate;
import millrace.processor.warehouse.WarehouseException.Reason;
import org.rocksdb.RocksDBException;

/** Reads a slice from an {@link EntityCopy}: filters here, and checks the order on the way. */
final class BlockRowStream implements RowStream {
    private final SliceQuery slice;
    private final EntityCopy.Blocks blocks;
    private final Runnable onClose;
    private final RowFilter filter;
    private final RowOrder order;
    private final int[] places;

    private int nextEntity;
    private String entity = "";
    private boolean entered;
    private Block row = Block.none();
    private volatile boolean cancelled;
    private boolean closed;

    BlockRowStream(SliceQuery slice, SliceColumns columns, EntityCopy copy, Runnable onClose) {
        this.slice = slice;
        this.blocks = copy.blocks(columns.names());
        this.onClose = onClose;
        this.filter = new RowFilter(slice, columns.names());
        this.order = new RowOrder(slice, columns.names());
        this.places = columns.places();
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
    public boolean absent(int column) {
        return places[column] >= 0 && row.isNull(places[column]);
    }

    @Override
    public String text(int column) {
        return places[column] < 0 ? entity : row.text(places[column]);
    }

    @Override
    public LocalDate date(int column) {
        return row.date(places[column]);
    }

    @Override
    public long integer(int column) {
        return row.integer(places[column]);
    }

    @Override
    public double number(int column) {
        return row.number(places[column]);
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
