/** Starts and stops a process; provides its threads, clocks and background tasks. */
@NullMarked
package millrace.runtime.service;

import org.jspecify.annotations.NullMarked;
