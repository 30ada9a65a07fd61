package millrace.processor.rendering.rows;

import java.io.IOException;
import java.util.List;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.KeyColumn;
import millrace.contracts.commands.RenderTask.RenderSlice;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.requests.FileFormat;
import millrace.contracts.requests.ReportQuery;
import millrace.processor.rendering.formats.CellText;
import millrace.processor.rendering.formats.RowWriter;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.WarehouseException;
import org.jspecify.annotations.Nullable;

/** Writes the rows of one slice: filtered, kept within the estimate, without the first ones, and counted. Its memory does not grow with its rows. */
final class RowCopier {
    private final List<KeyColumn> keyColumns;
    private final List<DatasetMetric> metrics;
    private final long limit;
    private final long toSkip;
    private final CellText cells;
    private final LongFilters filter;
    private final EstimateGuard guard;
    private final SliceCounts counts;
    private long skipped;

    RowCopier(RenderSlice task, SliceQuery query) {
        this.keyColumns = query.layout().keyColumns();
        this.metrics = query.layout().metrics();
        this.limit = task.rowLimit() == null ? Long.MAX_VALUE : task.rowLimit();
        this.toSkip = task.rowsToSkip() == null ? 0 : task.rowsToSkip();
        this.cells = new CellText(safety(task.query().output()));
        this.filter = new LongFilters(query);
        this.guard = new EstimateGuard(query);
        this.counts = new SliceCounts(query, task.countsRevealed());
    }

    /** @param running is told how many rows are written */
    ResultCounts copy(RowStream row, RowWriter writer, RunningSlice running) throws WarehouseException, IOException {
        String[] key = new String[keyColumns.size()];
        while (counts.rows() < limit && row.next()) {
            if (!filter.takes(row)) {
                continue;
            }
            for (int i = 0; i < key.length; i++) {
                key[i] = written(cells.of(row, i, keyColumns.get(i).type()));
            }
            if (!guard.keeps(key)) {
                continue;
            }
            if (skipped < toSkip) {
                skipped++;
                continue;
            }
            for (String cell : key) {
                writer.text(cell);
            }
            for (int i = 0; i < metrics.size(); i++) {
                DatasetMetric metric = metrics.get(i);
                if (cells.write(row, key.length + i, metric.type(), writer)) {
                    counts.addResult(metric);
                }
            }
            writer.endRow();
            counts.addRow(key);
            running.wrote(counts.rows());
        }
        return counts.counts();
    }

    /** How many rows of the report came before the first one that is written. */
    long skipped() {
        return skipped;
    }

    private static String written(@Nullable String cell) {
        return cell == null ? "" : cell;
    }

    /** Only CSV is opened by what takes text for a formula. */
    private static String safety(ReportQuery.Output output) {
        return output.fileFormat().form() == FileFormat.Form.CSV ? output.csvSafety() : "none";
    }
}
