/** Log events, spans and histogram bounds of a service. */
@NullMarked
package millrace.runtime.telemetry;

import org.jspecify.annotations.NullMarked;
