/**
 * Accounts as a file declares them and as Kafka has them, with webhook secrets that only holders of
 * a key can decrypt.
 */
@NullMarked
package millrace.runtime.accounts;

import org.jspecify.annotations.NullMarked;
