/** Reads a slice from a DuckDB file with SQL, either sorted by the engine or by known row ids. */
@NullMarked
package millrace.processor.warehouse.duckdb.query;

import org.jspecify.annotations.NullMarked;
