package millrace.processor.data.importing;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import millrace.processor.data.importing.Import.ImportOptions;
import org.jspecify.annotations.Nullable;

/** Reads all files row by row and stages the valid rows. */
final class ImportReader {
    private static final int ROWS_PER_WORD = 8192;

    private final ImportOptions order;
    private final List<TableColumn> columns;
    private final RowCheck check;
    private final ImportProgress progress;
    private final List<LongFunction<String>> places = new ArrayList<>();

    ImportReader(ImportOptions order, List<TableColumn> columns, RowCheck check, ImportProgress progress) {
        this.order = order;
        this.columns = columns;
        this.check = check;
        this.progress = progress;
    }

    /** Reads the files. Returns the metrics that no file has. */
    List<String> into(StagingDatabase staging, ImportProblems problems) throws SQLException {
        Set<String> missing = new LinkedHashSet<>(
                columns.stream().filter(c -> !c.key()).map(TableColumn::name).toList());
        for (Path file : order.files()) {
            try (RowSource source = open(staging, file)) {
                places.add(source::place);
                Optional<FileColumns> found = FileColumns.of(source.name(), source.header(), columns, problems);
                if (found.isPresent()) {
                    missing.retainAll(found.get().missing());
                    rows(source, found.get(), staging);
                }
            } catch (IOException e) {
                problems.add(file.toString(), "cannot be read: " + e.getMessage());
            }
        }
        staging.complete();
        if (staging.rows() == 0 && problems.none()) {
            problems.add(order.files().getFirst().toString(), "has no rows");
        }
        return List.copyOf(missing);
    }

    /** The name of a staged row in messages. */
    String place(int file, long line) {
        return places.get(file).apply(line);
    }

    private void rows(RowSource source, FileColumns file, StagingDatabase staging) throws IOException, SQLException {
        int number = places.size() - 1;
        long count = 0;
        while (source.next()) {
            @Nullable Object[] row = check.read(source, file);
            if (row != null) {
                staging.add(row, number, source.line());
            }
            if (++count % ROWS_PER_WORD == 0) {
                progress.reading(source.name(), count, source.fraction());
            }
        }
        progress.read(source.name(), count);
    }

    private RowSource open(StagingDatabase staging, Path file) throws IOException {
        return file.toString().endsWith(".parquet")
                ? ParquetSource.open(staging, file)
                : CsvSource.open(file, order.separator());
    }
}
