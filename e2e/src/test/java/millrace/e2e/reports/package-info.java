/** Tests what reports cost, and reports that are large. */
@NullMarked
package millrace.e2e.reports;

import org.jspecify.annotations.NullMarked;
