/** Runs the commands that people type beside the services. */
@NullMarked
package millrace.runtime.command;

import org.jspecify.annotations.NullMarked;
