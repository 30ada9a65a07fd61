/** Tests the web console in a browser. */
@NullMarked
package millrace.e2e.console;

import org.jspecify.annotations.NullMarked;
