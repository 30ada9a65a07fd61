/**
 * The notifier delivers webhooks. This package has its settings; bootstrap starts it, and an event enters it in loop.
 */
@NullMarked
package millrace.notifier;

import org.jspecify.annotations.NullMarked;
