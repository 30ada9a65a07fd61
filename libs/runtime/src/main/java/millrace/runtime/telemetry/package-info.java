/** What a service reports about itself: log events, spans, bounds of histograms. */
@NullMarked
package millrace.runtime.telemetry;

import org.jspecify.annotations.NullMarked;
