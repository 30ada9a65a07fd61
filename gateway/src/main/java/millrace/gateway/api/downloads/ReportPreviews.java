package millrace.gateway.api.downloads;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.KeyColumn;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.FileFormat;
import millrace.files.CountedStream;
import millrace.files.InflatedStream;
import millrace.files.store.ReportStore;

/** Opens the previews of report files. */
@Singleton
final class ReportPreviews {
    private final ReportStore store;
    private final Catalog catalog;

    ReportPreviews(ReportStore store, Catalog catalog) {
        this.store = store;
        this.catalog = catalog;
    }

    /**
     * Opens the file and reads its first rows. The caller closes the preview, which ends the slot;
     * where this throws, the slot has ended.
     *
     * @param report a complete one
     * @param file whose rows are shown, not Parquet
     * @throws java.nio.file.NoSuchFileException where the file is deleted
     * @throws IOException where the storage cannot be reached or the file is damaged
     */
    PreviewStream open(
            ReportStatus report, ReportStatus.Result result, StoredFile file, int most, PreviewSlots.Slot slot)
            throws IOException {
        try {
            return begun(report, result, file, most, slot);
        } catch (IOException | RuntimeException e) {
            slot.close();
            throw e;
        }
    }

    private PreviewStream begun(
            ReportStatus report, ReportStatus.Result result, StoredFile file, int most, PreviewSlots.Slot slot)
            throws IOException {
        FileFormat format = FileFormat.ofName(file.name());
        InputStream in = Channels.newInputStream(store.open(file.name()));
        try {
            in = decompressed(in, format.compression());
            var counted = new CountedStream(in);
            FileRows rows = format.form() == FileFormat.Form.JSON
                    ? new JsonRows(counted)
                    : new CsvRows(counted, numeric(report.dataset()));
            var wanted = new PreviewStream.Wanted(
                    report.reportId(), most, result.counts().rows());
            return new PreviewStream(counted, rows, wanted, slot);
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    private static InputStream decompressed(InputStream file, FileFormat.Compression compression) throws IOException {
        return switch (compression) {
            case NONE -> file;
            case GZIP -> InflatedStream.gzip(file);
            case ZSTD -> new ZstdInputStreamNoFinalizer(file);
        };
    }

    /** Cells of a dataset that the catalog does not have any more are texts. */
    private Predicate<String> numeric(String dataset) {
        Set<String> columns = catalog.dataset(dataset).stream()
                .flatMap(ReportPreviews::numericColumns)
                .collect(Collectors.toUnmodifiableSet());
        return columns::contains;
    }

    private static Stream<String> numericColumns(Dataset dataset) {
        return Stream.concat(
                dataset.keyColumns().stream()
                        .filter(column -> isNumeric(column.type()))
                        .map(KeyColumn::name),
                dataset.metrics().stream()
                        .filter(metric -> isNumeric(metric.type()))
                        .map(DatasetMetric::name));
    }

    private static boolean isNumeric(ColumnType type) {
        return switch (type) {
            case INTEGER, DOUBLE -> true;
            case TEXT, DATE -> false;
        };
    }
}
