/** The warehouse as a folder of DuckDB files: their versions and cleanup, and the engine that reads them. */
@NullMarked
package millrace.processor.warehouse.duckdb;

import org.jspecify.annotations.NullMarked;
