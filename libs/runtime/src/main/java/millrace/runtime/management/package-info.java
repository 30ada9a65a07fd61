/** The management port: health, readiness and metrics, and the checks behind them. */
@NullMarked
package millrace.runtime.management;

import org.jspecify.annotations.NullMarked;
