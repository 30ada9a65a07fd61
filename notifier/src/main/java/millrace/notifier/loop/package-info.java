/**
 * The notifier's main loop, one thread: it reads deliveries, starts attempts that are due, reads backlogs when
 * there is room, and commits the results.
 */
@NullMarked
package millrace.notifier.loop;

import org.jspecify.annotations.NullMarked;
