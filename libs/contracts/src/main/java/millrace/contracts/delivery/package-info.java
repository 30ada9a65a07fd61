/** Webhook deliveries: what is to be sent, what was tried, how endpoints are. */
@NullMarked
package millrace.contracts.delivery;

import org.jspecify.annotations.NullMarked;
