@NullMarked
package millrace.webhook;

import org.jspecify.annotations.NullMarked;
