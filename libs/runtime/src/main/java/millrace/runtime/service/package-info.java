/** Starts and stops a process; its threads, clocks and background tasks. */
@NullMarked
package millrace.runtime.service;

import org.jspecify.annotations.NullMarked;
