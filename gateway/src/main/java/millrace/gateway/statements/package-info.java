/** Statements of the months that have ended, and the key that signs them and receipts. */
@NullMarked
package millrace.gateway.statements;

import org.jspecify.annotations.NullMarked;
