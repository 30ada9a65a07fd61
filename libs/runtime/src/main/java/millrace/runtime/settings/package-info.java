/** Settings of a process: records that declare them, and reading them from a file, the environment and the command line. */
@NullMarked
package millrace.runtime.settings;

import org.jspecify.annotations.NullMarked;
