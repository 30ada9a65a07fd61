/** What happened to the accounts: ledger entries, usage, events and attempts, folded into a database on the disk. */
@NullMarked
package millrace.gateway.copy.activity;

import org.jspecify.annotations.NullMarked;
