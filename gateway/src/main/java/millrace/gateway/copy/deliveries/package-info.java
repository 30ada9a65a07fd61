/** Deliveries on the disk and states of endpoints in memory, folded from the webhook topics. */
@NullMarked
package millrace.gateway.copy.deliveries;

import org.jspecify.annotations.NullMarked;
