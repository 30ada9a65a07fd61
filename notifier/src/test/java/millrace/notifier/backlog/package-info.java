@NullMarked
package millrace.notifier.backlog;

import org.jspecify.annotations.NullMarked;
