/** The report of a query: its periods, the layout of its file, and its estimate. */
@NullMarked
package millrace.catalog.report;

import org.jspecify.annotations.NullMarked;
