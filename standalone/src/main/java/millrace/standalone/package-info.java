/** Runs all of Millrace in one process, on one machine. */
@NullMarked
package millrace.standalone;

import org.jspecify.annotations.NullMarked;
