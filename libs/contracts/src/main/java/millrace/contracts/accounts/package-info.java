/** An account, its balance, its credit ledger, and prices. */
@NullMarked
package millrace.contracts.accounts;

import org.jspecify.annotations.NullMarked;
