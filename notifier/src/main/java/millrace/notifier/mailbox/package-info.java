/** Messages of other threads to the delivery loop. */
@NullMarked
package millrace.notifier.mailbox;

import org.jspecify.annotations.NullMarked;
