/** The one thread of the notifier: it reads deliveries, starts attempts that are due, and commits what follows from them. */
@NullMarked
package millrace.notifier.loop;

import org.jspecify.annotations.NullMarked;
