/**
 * The state of one account and its reports, and how facts change it, pure. What is stored is read through {@link
 * millrace.processor.ledger.account.state.AccountReader}.
 */
@NullMarked
package millrace.processor.ledger.account.state;

import org.jspecify.annotations.NullMarked;
