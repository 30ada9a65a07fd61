package millrace.processor.rendering.rows;

import java.util.HashSet;
import java.util.Set;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import org.jspecify.annotations.Nullable;

/** A warehouse whose queries a test can block. The last entity of a query, {@code s{number}}, names the slice. */
final class BlockingWarehouse implements Warehouse {
    private @Nullable Warehouse inner;
    private boolean closed;
    private int waiting;
    private int opened;
    private int inside;
    private int mostInside;
    private final Set<String> passing = new HashSet<>();

    synchronized void open(Warehouse warehouse) {
        inner = warehouse;
    }

    /** Blocks queries from now on. */
    @Override
    public synchronized void close() {
        closed = true;
    }

    synchronized void release() {
        closed = false;
        notifyAll();
    }

    synchronized void letPass(int slice) {
        passing.add("s" + slice);
        notifyAll();
    }

    synchronized int waiting() {
        return waiting;
    }

    /** Waits for this number of queries; returns the greatest number that were open at once. */
    synchronized int mostAtOnceAfter(int first) {
        return opened > first ? mostInside : 0;
    }

    @Override
    public RowStream open(SliceQuery query) throws WarehouseException {
        Warehouse warehouse = enter(query.query().entities().getLast());
        try {
            return warehouse.open(query);
        } finally {
            leave();
        }
    }

    private synchronized Warehouse enter(String slice) throws WarehouseException {
        opened++;
        inside++;
        mostInside = Math.max(mostInside, inside);
        waiting++;
        try {
            while (closed && !passing.contains(slice)) {
                wait();
            }
        } catch (InterruptedException e) {
            inside--;
            throw new WarehouseException(WarehouseException.Reason.CANCELLED, "interrupted", e);
        } finally {
            waiting--;
        }
        if (inner == null) {
            throw new IllegalStateException("no warehouse");
        }
        return inner;
    }

    private synchronized void leave() {
        inside--;
    }
}
