/** A slice becomes a file: rows are read, checked, counted and written. {@code RenderWorkers} starts all of rendering. */
@NullMarked
package millrace.processor.rendering;

import org.jspecify.annotations.NullMarked;
