/**
 * Reports and balances, folded from the topics: what the ledger has decided in a database on the disk, what it has not
 * decided yet in memory. Appends nothing.
 */
@NullMarked
package millrace.gateway.copy.reports;

import org.jspecify.annotations.NullMarked;
