/** Deletes files of reports that the ledger does not need any more, and finds those that nobody names. */
@NullMarked
package millrace.processor.retention;

import org.jspecify.annotations.NullMarked;
