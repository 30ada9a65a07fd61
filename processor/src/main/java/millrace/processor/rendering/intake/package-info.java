/**
 * Reads tasks from Kafka: the consumer of each lane, the order of accounts, offsets, and how often each task was
 * started.
 */
@NullMarked
package millrace.processor.rendering.intake;

import org.jspecify.annotations.NullMarked;
