/** PostgreSQL and Trino as the warehouse. */
@NullMarked
package millrace.processor.warehouse.jdbc;

import org.jspecify.annotations.NullMarked;
