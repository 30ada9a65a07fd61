/** Checks a ledger against signed statements. */
@NullMarked
package millrace.client.cli.statements;

import org.jspecify.annotations.NullMarked;
