/**
 * Writes changes of accounts to Kafka, one gateway at a time; imports the accounts file and grants
 * monthly credits.
 */
@NullMarked
package millrace.gateway.accounts;

import org.jspecify.annotations.NullMarked;
