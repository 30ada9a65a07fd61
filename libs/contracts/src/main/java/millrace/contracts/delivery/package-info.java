/** Webhook deliveries: commands, attempts, dead letters and the state of endpoints. */
@NullMarked
package millrace.contracts.delivery;

import org.jspecify.annotations.NullMarked;
