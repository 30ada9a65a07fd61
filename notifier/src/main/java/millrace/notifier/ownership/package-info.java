/**
 * The partitions of this notifier: the consumer group, the take-over of what waits in a partition, and messages to
 * the thread of the loop.
 */
@NullMarked
package millrace.notifier.ownership;

import org.jspecify.annotations.NullMarked;
