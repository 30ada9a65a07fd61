/** The status of a report, its result and its events. */
@NullMarked
package millrace.contracts.reports;

import org.jspecify.annotations.NullMarked;
