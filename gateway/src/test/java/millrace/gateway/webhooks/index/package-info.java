@NullMarked
package millrace.gateway.webhooks.index;

import org.jspecify.annotations.NullMarked;
