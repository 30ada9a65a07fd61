/** Selects and orders rows without an engine, as the SQL of a slice would. */
@NullMarked
package millrace.processor.warehouse.rows;

import org.jspecify.annotations.NullMarked;
