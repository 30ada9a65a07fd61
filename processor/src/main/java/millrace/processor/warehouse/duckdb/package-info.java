/**
 * The warehouse as a folder of DuckDB files: versions and their cleanup, the engine that reads them, and the index
 * by entity beside them.
 */
@NullMarked
package millrace.processor.warehouse.duckdb;

import org.jspecify.annotations.NullMarked;
