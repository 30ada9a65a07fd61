/**
 * Signed webhooks, the interface that sends them, and the result of an exchange with a receiver.
 */
@NullMarked
package millrace.webhook;

import org.jspecify.annotations.NullMarked;
