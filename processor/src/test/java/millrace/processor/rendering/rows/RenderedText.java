package millrace.processor.rendering.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import millrace.contracts.reports.ResultCounts;
import millrace.files.disk.DiskReportStore;
import millrace.processor.rendering.formats.ParquetFiles;
import millrace.processor.warehouse.TestWarehouse;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;

/** The text of a rendered file, the counts of its rows, and how many were left out before them. */
record RenderedText(String csv, ResultCounts counts, long skipped) {

    static RenderedText of(TestWarehouse data, SampleTasks task, Path files) throws IOException, WarehouseException {
        var store = new DiskReportStore(files, false);
        try (Warehouse warehouse = data.open()) {
            var rendered = new SliceRenderer(TestWarehouse.CATALOG, warehouse, store, new ParquetFiles(files))
                    .render(task.task(), "r/1/0", new RunningSlice());
            try (var in = Channels.newInputStream(store.open("r/1/0"))) {
                return new RenderedText(new String(in.readAllBytes(), UTF_8), rendered.counts(), rendered.skipped());
            }
        }
    }
}
