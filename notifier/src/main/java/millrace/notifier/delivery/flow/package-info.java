/** Flow control of one endpoint: circuit breaker, rate, cap and retry schedule. Pure, like delivery. */
@NullMarked
package millrace.notifier.delivery.flow;

import org.jspecify.annotations.NullMarked;
