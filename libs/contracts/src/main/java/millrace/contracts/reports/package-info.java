/** The status of a report and what it holds. */
@NullMarked
package millrace.contracts.reports;

import org.jspecify.annotations.NullMarked;
