/**
 * The notifier's main loop, one thread: it reads deliveries, starts attempts that are due, and commits their results.
 */
@NullMarked
package millrace.notifier.loop;

import org.jspecify.annotations.NullMarked;
