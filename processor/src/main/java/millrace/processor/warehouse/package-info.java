/** Where the rows of reports come from. */
@NullMarked
package millrace.processor.warehouse;

import org.jspecify.annotations.NullMarked;
