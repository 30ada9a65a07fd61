/**
 * The entity index: a file in which the rows of an entity are found without a query, built from each version that is
 * read.
 */
@NullMarked
package millrace.processor.warehouse.index;

import org.jspecify.annotations.NullMarked;
