package millrace.processor.importing;

import java.nio.file.Path;
import java.util.List;
import millrace.catalog.dataset.Dataset;

/**
 * What to load.
 *
 * @param files CSV, CSV with gzip, or Parquet, told by their names
 * @param warehouse the folder of all datasets
 * @param append whether rows with other keys stay
 * @param dryRun whether to check only
 * @param separator between the cells of CSV files
 * @param memory for DuckDB, beside the Java heap
 */
public record ImportOptions(
        Dataset dataset,
        List<Path> files,
        Path warehouse,
        boolean append,
        boolean dryRun,
        char separator,
        String memory) {}
