/**
 * Settings of a process: the records that declare them, and their values from a file, the
 * environment and the command line.
 */
@NullMarked
package millrace.runtime.settings;

import org.jspecify.annotations.NullMarked;
