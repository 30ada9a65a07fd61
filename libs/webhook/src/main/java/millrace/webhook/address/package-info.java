/** Destinations of webhooks: parsing, DNS lookup, and the address ranges that are allowed. */
@NullMarked
package millrace.webhook.address;

import org.jspecify.annotations.NullMarked;
