/** Routes for webhook deliveries and endpoints: list, resend, enable, test. */
@NullMarked
package millrace.gateway.api.webhooks;

import org.jspecify.annotations.NullMarked;
