/**
 * Hands tasks to workers: from Kafka or from the ledger of the same process, in turns of the accounts; measures
 * them, and isolates those that kill a worker.
 */
@NullMarked
package millrace.processor.rendering.tasks;

import org.jspecify.annotations.NullMarked;
