/** What the gateway knows: statuses, balances and requests folded from Kafka, and the loop that folds them. */
@NullMarked
package millrace.gateway.model;

import org.jspecify.annotations.NullMarked;
