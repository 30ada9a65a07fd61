/**
 * The rules of one account, pure: commands and time come in, facts come out, recorded in {@link
 * millrace.processor.ledger.account.state.PendingChanges}. Nothing here knows of Kafka, files or clocks.
 */
@NullMarked
package millrace.processor.ledger.account;

import org.jspecify.annotations.NullMarked;
