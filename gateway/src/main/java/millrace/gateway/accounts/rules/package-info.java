/** Decides what a change makes of an account. Pure. */
@NullMarked
package millrace.gateway.accounts.rules;

import org.jspecify.annotations.NullMarked;
