/** Who may do what now: keys, rates, limits, idempotency. Pure. */
@NullMarked
package millrace.gateway.admission;

import org.jspecify.annotations.NullMarked;
