@NullMarked
package millrace.gateway.webhooks;

import org.jspecify.annotations.NullMarked;
