/** Checks columns and cells of imported files. Pure. */
@NullMarked
package millrace.processor.importing.check;

import org.jspecify.annotations.NullMarked;
