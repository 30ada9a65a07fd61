/** Routes for webhook deliveries and endpoints: list, resend, enable, test. */
@NullMarked
package millrace.gateway.webhooks;

import org.jspecify.annotations.NullMarked;
