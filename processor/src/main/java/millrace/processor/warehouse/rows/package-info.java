/** Filters rows and checks their order without an engine, as the SQL of a slice does. */
@NullMarked
package millrace.processor.warehouse.rows;

import org.jspecify.annotations.NullMarked;
