/** Decides whether a call or a submission is allowed: keys, rates, limits, idempotency. Pure. */
@NullMarked
package millrace.gateway.admission;

import org.jspecify.annotations.NullMarked;
