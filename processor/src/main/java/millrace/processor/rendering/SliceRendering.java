package millrace.processor.rendering;

import java.io.IOException;
import millrace.contracts.commands.RenderTask.RenderSlice;
import millrace.contracts.requests.FileFormat;
import millrace.contracts.requests.ReportQuery;
import millrace.files.store.ReportFileWriter;
import millrace.processor.rendering.format.CellText;
import millrace.processor.rendering.format.RowWriter;
import millrace.processor.rendering.worker.RunningTask;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import org.jspecify.annotations.Nullable;

/** One slice being written. One thread runs it, others may watch and cancel it. Its memory does not grow with its rows. */
public final class SliceRendering implements RunningTask {
    private final SliceRenderer renderer;
    private final RenderSlice task;
    private final String fileName;
    private @Nullable RowStream stream;
    private boolean cancelled;
    private volatile long rows;

    SliceRendering(SliceRenderer renderer, RenderSlice task, String fileName) {
        this.renderer = renderer;
        this.task = task;
        this.fileName = fileName;
    }

    /**
     * Writes the file; where that fails it leaves none.
     *
     * @throws WarehouseException where the rows cannot be read, or after {@link #cancel()}
     * @throws IOException where the file cannot be written
     */
    public RenderedSlice run() throws WarehouseException, IOException {
        SliceQuery slice = renderer.query(task);
        try {
            return render(slice);
        } catch (WarehouseException e) {
            if (e.reason() != Reason.NOT_SORTED) {
                throw e;
            }
            renderer.warehouse().notSorted(slice);
            return render(slice);
        }
    }

    private RenderedSlice render(SliceQuery slice) throws WarehouseException, IOException {
        var counts = new SliceCounts(slice, task.countsRevealed());
        try (RowStream rowStream = renderer.warehouse().open(slice);
                ReportFileWriter part = renderer.store().create(fileName)) {
            started(rowStream);
            try (RowWriter writer = renderer.writer(part, task, slice.layout())) {
                write(rowStream, slice, counts, writer);
                writer.finish();
            }
            return new RenderedSlice(part.commit(), counts.counts());
        }
    }

    private void write(RowStream row, SliceQuery slice, SliceCounts counts, RowWriter writer)
            throws WarehouseException, IOException {
        var cells = new CellText(safety(task.query().output()));
        var filter = new LongFilters(slice, value -> written(cells.text(value)));
        var guard = new EstimateGuard(slice);
        var keyColumns = slice.layout().keyColumns();
        var metrics = slice.layout().metrics();
        String[] key = new String[keyColumns.size()];
        @Nullable String[] values = new @Nullable String[metrics.size()];
        long limit = task.rowLimit() == null ? Long.MAX_VALUE : task.rowLimit();
        while (counts.rows() < limit && row.next()) {
            for (int i = 0; i < key.length; i++) {
                key[i] = written(cells.of(row, i, keyColumns.get(i).type()));
            }
            if (!filter.takes(key) || !guard.keeps(key)) {
                continue;
            }
            for (int i = 0; i < values.length; i++) {
                values[i] = cells.of(row, key.length + i, metrics.get(i).type());
            }
            writer.row(key, values);
            counts.add(key, values);
            rows = counts.rows();
        }
    }

    private static String written(@Nullable String cell) {
        return cell == null ? "" : cell;
    }

    /** Only CSV is opened by what takes text for a formula. */
    private static String safety(ReportQuery.Output output) {
        return output.fileFormat().form() == FileFormat.Form.CSV ? output.csvSafety() : "none";
    }

    @Override
    public long rows() {
        return rows;
    }

    /** Ends {@link #run()} soon with {@link Reason#CANCELLED}, also where it has not begun yet. */
    @Override
    public synchronized void cancel() {
        cancelled = true;
        if (stream != null) {
            stream.cancel();
        }
    }

    private synchronized void started(RowStream rowStream) {
        stream = rowStream;
        if (cancelled) {
            rowStream.cancel();
        }
    }
}
