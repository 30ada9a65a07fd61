/** A signed webhook, the interface that sends it, and how the exchange with its receiver ended. */
@NullMarked
package millrace.webhook;

import org.jspecify.annotations.NullMarked;
