/** Renders a slice to a file: rows are read, checked, counted and written. */
@NullMarked
package millrace.processor.rendering.rows;

import org.jspecify.annotations.NullMarked;
