/** The rules of the ledger, as tables and properties. */
@NullMarked
package millrace.processor.account;

import org.jspecify.annotations.NullMarked;
