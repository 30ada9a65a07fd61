/** Commands of the ledger, and tasks of the render workers. */
@NullMarked
package millrace.contracts.commands;

import org.jspecify.annotations.NullMarked;
