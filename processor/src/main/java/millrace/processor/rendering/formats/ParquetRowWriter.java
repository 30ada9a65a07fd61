package millrace.processor.rendering.formats;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import millrace.catalog.report.ReportLayout;
import millrace.contracts.requests.FileFormat.Compression;

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
    public void text(String cell) throws IOException {
        rows.text(cell);
    }

    @Override
    public void integer(long cell) throws IOException {
        rows.integer(cell);
    }

    @Override
    public void number(double cell) throws IOException {
        rows.number(cell);
    }

    @Override
    public void absent() throws IOException {
        rows.absent();
    }

    @Override
    public void endRow() throws IOException {
        rows.endRow();
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
