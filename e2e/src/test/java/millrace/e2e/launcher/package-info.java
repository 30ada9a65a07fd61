/** Tests the commands that an operator types. */
@NullMarked
package millrace.e2e.launcher;

import org.jspecify.annotations.NullMarked;
