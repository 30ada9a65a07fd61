/**
 * Renders slices to files: rows are read, checked, counted and written. {@code RenderWorkers} starts intake and
 * workers.
 */
@NullMarked
package millrace.processor.rendering;

import org.jspecify.annotations.NullMarked;
