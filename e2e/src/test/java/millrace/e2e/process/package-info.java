/** Runs Millrace as processes of its own, and asks them over the API and the command line. */
@NullMarked
package millrace.e2e.process;

import org.jspecify.annotations.NullMarked;
