/**
 * Writes to Kafka: pending events, attempts, dead letters and endpoint states, each batch in one transaction with the
 * source offsets.
 */
@NullMarked
package millrace.notifier.persistence;

import org.jspecify.annotations.NullMarked;
