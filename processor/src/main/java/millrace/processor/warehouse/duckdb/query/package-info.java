/** Reads a slice from a DuckDB file with SQL, sorted by the engine or from known ranges of rows. */
@NullMarked
package millrace.processor.warehouse.duckdb.query;

import org.jspecify.annotations.NullMarked;
