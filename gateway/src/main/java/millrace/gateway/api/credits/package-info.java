/** Routes for what happened to an account: its ledger, its usage, how its reports ended. */
@NullMarked
package millrace.gateway.api.credits;

import org.jspecify.annotations.NullMarked;
