@NullMarked
package millrace.processor.ledger.account;

import org.jspecify.annotations.NullMarked;
