/** What a new owner of partitions does first: it reads the committed offsets and the state of events and endpoints. */
@NullMarked
package millrace.notifier.takeover;

import org.jspecify.annotations.NullMarked;
