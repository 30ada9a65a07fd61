@NullMarked
package millrace.notifier.mailbox;

import org.jspecify.annotations.NullMarked;
