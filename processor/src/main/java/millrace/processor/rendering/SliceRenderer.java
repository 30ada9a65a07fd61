package millrace.processor.rendering;

import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.report.ReportLayout;
import millrace.contracts.commands.RenderTask.RenderSlice;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.EntityRange;
import millrace.contracts.requests.FileFormat;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.ReportQuery;
import millrace.files.EntityLists;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;
import millrace.processor.rendering.format.CompressedStream;
import millrace.processor.rendering.format.CsvRowWriter;
import millrace.processor.rendering.format.JsonRowWriter;
import millrace.processor.rendering.format.ParquetFiles;
import millrace.processor.rendering.format.ParquetRowWriter;
import millrace.processor.rendering.format.RowWriter;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;

/** Turns slices into files, and the files of slices into that of the report. */
public final class SliceRenderer {
    private final Catalog catalog;
    private final Warehouse warehouse;
    private final ReportStore store;
    private final ParquetFiles parquet;

    public SliceRenderer(Catalog catalog, Warehouse warehouse, ReportStore store, ParquetFiles parquet) {
        this.catalog = catalog;
        this.warehouse = warehouse;
        this.store = store;
        this.parquet = parquet;
    }

    /**
     * Prepares a rendering; {@link SliceRendering#run()} does it.
     *
     * @param fileName of the file that it makes
     */
    public SliceRendering rendering(RenderSlice task, String fileName) {
        return new SliceRendering(this, task, fileName);
    }

    /**
     * One file of the parts, in their order. The rows of text formats follow each other as bytes, compressed or not.
     *
     * @param name says the format, as those of the parts do
     */
    StoredFile assemble(String name, List<StoredFile> parts) throws IOException {
        return switch (FileFormat.ofName(name).form()) {
            case CSV, JSON -> store.concatenate(name, parts);
            case PARQUET -> parquet.merge(store, name, parts);
        };
    }

    /** Leaves the part open, to be committed. */
    RowWriter writer(ReportFileWriter part, RenderSlice task, ReportLayout layout) throws IOException {
        FileFormat format = task.query().output().fileFormat();
        return switch (format.form()) {
            case CSV -> new CsvRowWriter(CompressedStream.stream(part, format.compression()), layout, task.header());
            case JSON -> new JsonRowWriter(CompressedStream.stream(part, format.compression()), layout);
            case PARQUET -> new ParquetRowWriter(part, layout, format.compression(), parquet);
        };
    }

    Warehouse warehouse() {
        return warehouse;
    }

    ReportStore store() {
        return store;
    }

    SliceQuery query(RenderSlice task) throws WarehouseException, IOException {
        ReportQuery query = task.query();
        Dataset dataset = catalog.dataset(query.dataset())
                .orElseThrow(() -> new WarehouseException(
                        Reason.MISSING, "the catalog has no dataset " + query.dataset() + " any more"));
        for (String metric : query.metrics()) {
            if (dataset.metric(metric).isEmpty()) {
                throw new WarehouseException(
                        Reason.MISSING, "dataset " + query.dataset() + " has no metric " + metric + " any more");
            }
        }
        ReportQuery filtered = withFilters(task);
        EntityRange range = task.range();
        return range == null
                ? SliceQuery.of(dataset, filtered, task.dataVersion())
                : SliceQuery.of(dataset, filtered.withEntities(EntityLists.read(store, range)), task.dataVersion())
                        .ofMany();
    }

    /** The query with all values of its filters. */
    private ReportQuery withFilters(RenderSlice task) throws IOException {
        ReportQuery query = task.query();
        if (query.filterLists() == null) {
            return query;
        }
        var filters = new TreeMap<>(query.filters());
        for (var list : query.filterLists().entrySet()) {
            String file = FilterList.fileName(task.accountId(), task.slice().reportId(), list.getKey());
            filters.put(list.getKey(), EntityLists.read(store, file, list.getValue()));
        }
        return query.withFilters(filters, null);
    }
}
