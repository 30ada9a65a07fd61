package millrace.processor.rendering.rows;

import java.util.concurrent.atomic.AtomicLong;
import millrace.processor.rendering.tasks.TaskRunner.RunningTask;
import millrace.processor.warehouse.RowStream;
import org.jspecify.annotations.Nullable;

/** Lets other threads watch and cancel a slice that one thread renders. */
public final class RunningSlice implements RunningTask {
    private @Nullable RowStream stream;
    private boolean cancelled;
    private final AtomicLong rows = new AtomicLong();

    @Override
    public long rows() {
        return rows.get();
    }

    /** The rendering fails soon as cancelled, also where it has not begun yet. */
    @Override
    public synchronized void cancel() {
        cancelled = true;
        if (stream != null) {
            stream.cancel();
        }
    }

    synchronized void reads(RowStream opened) {
        stream = opened;
        if (cancelled) {
            opened.cancel();
        }
    }

    void wrote(long rowsSoFar) {
        rows.lazySet(rowsSoFar); // for each row, and nobody needs to see it at once
    }
}
