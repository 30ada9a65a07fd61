/** Imports an operator's data in a separate process, while the service runs. */
@NullMarked
package millrace.processor.importing;

import org.jspecify.annotations.NullMarked;
