/** The addresses to which webhooks may be sent. */
@NullMarked
package millrace.webhook.address;

import org.jspecify.annotations.NullMarked;
