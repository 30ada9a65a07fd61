/** Where webhooks may go: destinations, DNS lookup, and the address ranges that are allowed. */
@NullMarked
package millrace.webhook.address;

import org.jspecify.annotations.NullMarked;
