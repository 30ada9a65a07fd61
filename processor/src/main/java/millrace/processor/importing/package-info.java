/** Imports data that the operator brings, beside the running service, in a process of its own. */
@NullMarked
package millrace.processor.importing;

import org.jspecify.annotations.NullMarked;
