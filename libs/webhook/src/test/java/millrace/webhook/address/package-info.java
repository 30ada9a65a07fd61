@NullMarked
package millrace.webhook.address;

import org.jspecify.annotations.NullMarked;
