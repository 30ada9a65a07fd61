/** The report of a query: periods, file layout, rows and credits at most. */
@NullMarked
package millrace.catalog.report;

import org.jspecify.annotations.NullMarked;
