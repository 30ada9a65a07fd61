/** Runs the commands of operators. */
@NullMarked
package millrace.runtime.cli;

import org.jspecify.annotations.NullMarked;
