package millrace.processor.rendering.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import millrace.catalog.report.ReportLayout;
import millrace.contracts.requests.FileFormat.Compression;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows as CSV to a temporary file and converts it to Parquet at the end, since the footer of Parquet describes
 * all rows.
 */
public final class ParquetRowWriter implements RowWriter {
    private final ParquetFiles parquet;
    private final ReportLayout layout;
    private final Compression codec;
    private final OutputStream out;
    private final Path folder;
    private final CsvRowWriter rows;

    public ParquetRowWriter(OutputStream out, ReportLayout layout, Compression codec, ParquetFiles parquet)
            throws IOException {
        this.parquet = parquet;
        this.layout = layout;
        this.codec = codec;
        this.out = out;
        this.folder = parquet.folder();
        this.rows = new CsvRowWriter(Files.newOutputStream(csv()), layout, false);
    }

    @Override
    public void row(String[] key, @Nullable String[] values) {
        rows.row(key, values);
    }

    @Override
    public void finish() throws IOException {
        rows.finish();
        rows.close();
        Path made = folder.resolve("rows.parquet");
        parquet.fromCsv(csv(), layout, codec, made);
        Files.copy(made, out);
    }

    @Override
    public void close() throws IOException {
        rows.close();
        ParquetFiles.discard(folder);
    }

    private Path csv() {
        return folder.resolve("rows.csv");
    }
}
