@NullMarked
package millrace.runtime.telemetry;

import org.jspecify.annotations.NullMarked;
