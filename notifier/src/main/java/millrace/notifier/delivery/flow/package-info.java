/** When attempts to an endpoint may start, and whether a failed one is repeated: circuit breaker, rate, attempts in flight, retry schedule. Pure, like delivery. */
@NullMarked
package millrace.notifier.delivery.flow;

import org.jspecify.annotations.NullMarked;
