/** What the columns and cells of imported files may be. Pure. */
@NullMarked
package millrace.processor.importing.check;

import org.jspecify.annotations.NullMarked;
