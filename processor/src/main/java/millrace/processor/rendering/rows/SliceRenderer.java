package millrace.processor.rendering.rows;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.report.ReportLayout;
import millrace.contracts.Json;
import millrace.contracts.commands.RenderTask.RenderSlice;
import millrace.contracts.commands.RenderTask.WriteManifest;
import millrace.contracts.reports.ReportManifest;
import millrace.contracts.reports.ReportManifest.Column;
import millrace.contracts.reports.ReportManifest.Table;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.FileFormat;
import millrace.contracts.requests.ReportQuery;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;
import millrace.processor.rendering.formats.CsvRowWriter;
import millrace.processor.rendering.formats.JsonRowWriter;
import millrace.processor.rendering.formats.ParquetFiles;
import millrace.processor.rendering.formats.ParquetRowWriter;
import millrace.processor.rendering.formats.RowWriter;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;

/** Turns slices into files, and the files of slices into that of the report. Several threads may use it. */
public final class SliceRenderer {
    private static final int BUFFER = 1 << 16;

    /**
     * The file of a rendered slice and the counts of its rows.
     *
     * @param skipped rows that were left out before the first one
     */
    public record Rendered(StoredFile file, ResultCounts counts, long skipped) {}

    private final SliceQueryFactory queries;
    private final Warehouse warehouse;
    private final ReportStore store;
    private final ParquetFiles parquet;

    public SliceRenderer(Catalog catalog, Warehouse warehouse, ReportStore store, ParquetFiles parquet) {
        this(catalog, warehouse, store, parquet, query -> {});
    }

    /** @param undeclared hears of queries that were accepted by a gateway and are not in this catalog */
    public SliceRenderer(
            Catalog catalog,
            Warehouse warehouse,
            ReportStore store,
            ParquetFiles parquet,
            Consumer<ReportQuery> undeclared) {
        this.queries = new SliceQueryFactory(catalog, store, undeclared);
        this.warehouse = warehouse;
        this.store = store;
        this.parquet = parquet;
    }

    /**
     * Writes the file of a slice; where that fails it leaves none.
     *
     * @throws WarehouseException where the rows cannot be read, or after {@link RunningSlice#cancel()}
     * @throws IOException where the file cannot be written
     */
    public Rendered render(RenderSlice task, String fileName, RunningSlice running)
            throws WarehouseException, IOException {
        SliceQuery query = queries.query(task);
        try {
            return render(task, query, fileName, running);
        } catch (WarehouseException e) {
            if (e.reason() != Reason.NOT_SORTED) {
                throw e;
            }
            warehouse.notSorted(query);
            return render(task, query, fileName, running);
        }
    }

    private Rendered render(RenderSlice task, SliceQuery query, String fileName, RunningSlice running)
            throws WarehouseException, IOException {
        try (RowStream rows = warehouse.open(query);
                ReportFileWriter file = store.create(fileName)) {
            running.reads(rows);
            var copier = new RowCopier(task, query);
            ResultCounts counts;
            try (RowWriter writer = writer(file, task, query.layout())) {
                counts = copier.copy(rows, writer, running);
                writer.finish();
            }
            return new Rendered(file.commit(), counts, copier.skipped());
        }
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

    /**
     * Writes the manifest of a task, with what the columns of its files are.
     *
     * @throws WarehouseException if the catalog does not have the dataset or its metrics any more
     */
    StoredFile writeManifest(String name, WriteManifest task) throws WarehouseException, IOException {
        ReportLayout layout = queries.layout(task.query());
        List<Column> columns = Stream.concat(
                        layout.keyColumns().stream().map(key -> new Column(key.name(), word(key.type()), null)),
                        layout.metrics().stream()
                                .map(metric -> new Column(metric.name(), word(metric.type()), metric.unit())))
                .toList();
        String dataset = task.query().dataset();
        ReportManifest manifest = task.manifest().with(List.of(new Table(dataset, dataset, columns)));
        try (ReportFileWriter file = store.create(name)) {
            file.write(Json.bytes(manifest));
            return file.commit();
        }
    }

    private static String word(ColumnType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    /** Leaves the file open, to be committed. */
    private RowWriter writer(ReportFileWriter file, RenderSlice task, ReportLayout layout) throws IOException {
        FileFormat format = task.query().output().fileFormat();
        return switch (format.form()) {
            case CSV -> new CsvRowWriter(compressed(file, format.compression()), layout, task.header());
            case JSON -> new JsonRowWriter(compressed(file, format.compression()), layout);
            case PARQUET -> new ParquetRowWriter(file, layout, format.compression(), parquet);
        };
    }

    /**
     * Compresses to a stream that the caller commits or discards. {@code close} ends the gzip member or zstd frame and
     * leaves the stream open. Members and frames can be concatenated, so that the parts of a report form one file.
     */
    private static OutputStream compressed(OutputStream file, FileFormat.Compression compression) throws IOException {
        OutputStream below = new KeptOpen(file);
        return switch (compression) {
            case NONE -> below;
            case GZIP -> new BufferedOutputStream(new GZIPOutputStream(below, BUFFER), BUFFER);
            case ZSTD -> new BufferedOutputStream(new ZstdOutputStreamNoFinalizer(below).setChecksum(true), BUFFER);
        };
    }

    private static final class KeptOpen extends FilterOutputStream {
        KeptOpen(OutputStream file) {
            super(file);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            out.flush();
        }
    }
}
