/** Commands about webhooks, and their signatures. */
@NullMarked
package millrace.client.cli.webhooks;

import org.jspecify.annotations.NullMarked;
