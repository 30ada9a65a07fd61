/**
 * Decides what happens to one account: commands and times come in, facts are recorded in {@link
 * millrace.processor.ledger.decide.PendingChanges}. Pure: no Kafka, files or clocks. {@link
 * millrace.processor.ledger.decide.Ledger} is the entry; attempts, dispatch and answers are parts of it.
 */
@NullMarked
package millrace.processor.ledger.decide;

import org.jspecify.annotations.NullMarked;
