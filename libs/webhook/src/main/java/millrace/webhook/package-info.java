/** Sends one signed webhook to an address that is allowed, within a total deadline. */
@NullMarked
package millrace.webhook;

import org.jspecify.annotations.NullMarked;
