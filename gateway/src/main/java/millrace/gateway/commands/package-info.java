/** Commands on their way to the ledger. */
@NullMarked
package millrace.gateway.commands;

import org.jspecify.annotations.NullMarked;
