/** The processor: {@link millrace.processor.ReportTopology} is the map. */
@NullMarked
package millrace.processor;

import org.jspecify.annotations.NullMarked;
