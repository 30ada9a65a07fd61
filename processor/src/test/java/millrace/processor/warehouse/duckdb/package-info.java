@NullMarked
package millrace.processor.warehouse.duckdb;

import org.jspecify.annotations.NullMarked;
