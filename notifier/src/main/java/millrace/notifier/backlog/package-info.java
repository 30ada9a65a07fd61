/** Leaves events in the source topic where an endpoint has no room in memory, and reads them when it has. */
@NullMarked
package millrace.notifier.backlog;

import org.jspecify.annotations.NullMarked;
