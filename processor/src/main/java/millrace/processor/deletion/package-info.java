/** Deletes the files from the report store that the ledger does not need any more. */
@NullMarked
package millrace.processor.deletion;

import org.jspecify.annotations.NullMarked;
