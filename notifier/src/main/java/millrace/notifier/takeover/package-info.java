/** Take-over of partitions: a new owner reads the committed offsets and restores the state of events and endpoints. */
@NullMarked
package millrace.notifier.takeover;

import org.jspecify.annotations.NullMarked;
