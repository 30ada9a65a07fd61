/**
 * Serves the web console: pages that use the public API, from the class path and without a build
 * step.
 */
@NullMarked
package millrace.gateway.console;

import org.jspecify.annotations.NullMarked;
