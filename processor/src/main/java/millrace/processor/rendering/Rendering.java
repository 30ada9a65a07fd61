package millrace.processor.rendering;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import millrace.contracts.RenderTask.RenderSlice;
import millrace.files.PartWriter;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import org.jspecify.annotations.Nullable;

/** One slice being written. One thread runs it, others may watch and cancel it. Its memory does not grow with its rows. */
public final class Rendering {
    private final SliceRenderer renderer;
    private final RenderSlice task;
    private final String fileName;
    private @Nullable RowStream stream;
    private boolean cancelled;
    private volatile long rows;

    Rendering(SliceRenderer renderer, RenderSlice task, String fileName) {
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
        var counts = new SliceCounts(slice, task.countsRevealed());
        try (RowStream rowStream = renderer.warehouse().open(slice);
                PartWriter part = renderer.store().create(fileName)) {
            started(rowStream);
            CsvWriter csv = CsvWriter.builder()
                    .lineDelimiter(LineDelimiter.CRLF)
                    // Files have no comments: a field that starts with # needs no quotes.
                    .commentCharacter('\uFFFF')
                    .build(new OutputStreamWriter(part, StandardCharsets.UTF_8));
            if (task.header()) {
                csv.writeRecord(slice.layout().header());
            }
            write(rowStream, slice, counts, csv);
            csv.flush();
            return new RenderedSlice(part.commit(), counts.counts());
        }
    }

    private void write(RowStream row, SliceQuery slice, SliceCounts counts, CsvWriter csv) throws WarehouseException {
        var cells = new CellText(task.query().output().csvSafety());
        var guard = new RowGuard(slice);
        var keyColumns = slice.layout().keyColumns();
        var metrics = slice.layout().metrics();
        String[] key = new String[keyColumns.size()];
        @Nullable String[] values = new @Nullable String[metrics.size()];
        long limit = task.rowLimit() == null ? Long.MAX_VALUE : task.rowLimit();
        while (counts.rows() < limit && row.next()) {
            for (int i = 0; i < key.length; i++) {
                String cell = cells.of(row, i, keyColumns.get(i).type());
                key[i] = cell == null ? "" : cell;
            }
            if (!guard.keeps(key)) {
                continue;
            }
            for (int i = 0; i < values.length; i++) {
                values[i] = cells.of(row, key.length + i, metrics.get(i).type());
            }
            var line = csv.writeRecord();
            for (String cell : key) {
                line.writeField(cell);
            }
            for (String cell : values) {
                line.writeField(cell);
            }
            line.endRecord();
            counts.add(key, values);
            rows = counts.rows();
        }
    }

    /** Rows written so far. */
    public long rows() {
        return rows;
    }

    /** Ends {@link #run()} soon with {@link Reason#CANCELLED}, also where it has not begun yet. */
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
