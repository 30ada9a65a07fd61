@NullMarked
package millrace.catalog.report;

import org.jspecify.annotations.NullMarked;
