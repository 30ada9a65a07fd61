/** The entity index: a file for each version, in which the rows of an entity are found without a query. */
@NullMarked
package millrace.processor.warehouse.index;

import org.jspecify.annotations.NullMarked;
