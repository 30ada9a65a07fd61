/** Where the rows of reports come from: what an engine offers, whichever it is. */
@NullMarked
package millrace.processor.warehouse;

import org.jspecify.annotations.NullMarked;
