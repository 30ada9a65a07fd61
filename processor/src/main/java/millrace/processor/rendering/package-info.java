/** Slices become files. */
@NullMarked
package millrace.processor.rendering;

import org.jspecify.annotations.NullMarked;
