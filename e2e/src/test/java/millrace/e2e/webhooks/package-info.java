/** Tests webhooks whose receivers fail or were unavailable. */
@NullMarked
package millrace.e2e.webhooks;

import org.jspecify.annotations.NullMarked;
