/**
 * The state of one account and its reports, and the facts that change it. Pure. Stored values are read through {@link
 * millrace.processor.ledger.account.state.AccountReader}.
 */
@NullMarked
package millrace.processor.ledger.account.state;

import org.jspecify.annotations.NullMarked;
