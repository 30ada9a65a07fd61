package millrace.processor.data.importing;

import millrace.catalog.dataset.Dataset;

import java.nio.file.Path;
import java.util.List;

/**
 * The options of an import.
 *
 * @param files CSV, CSV with gzip, or Parquet, by the ends of their names
 * @param warehouse the folder of all datasets
 * @param append whether existing rows with other keys are kept
 * @param dryRun whether the files are only checked
 * @param separator between the cells of CSV files
 * @param memory of DuckDB, in addition to the Java heap
 */
record ImportOptions(
        Dataset dataset,
        List<Path> files,
        Path warehouse,
        boolean append,
        boolean dryRun,
        char separator,
        String memory) {}
