/** Accounts as Kafka has them: read by every service that needs them, with webhook secrets that only holders of a key can open. */
@NullMarked
package millrace.runtime.accounts;

import org.jspecify.annotations.NullMarked;
