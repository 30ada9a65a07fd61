/** What can be asked for, by whom, and what it costs: dataset declarations, validation of requests, periods, estimates. Pure. */
@NullMarked
package millrace.catalog;

import org.jspecify.annotations.NullMarked;
