@NullMarked
package millrace.webhook.http;

import org.jspecify.annotations.NullMarked;
