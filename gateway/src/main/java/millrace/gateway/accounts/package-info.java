/** Changes to accounts: what they do is decided purely; one gateway at a time writes them to Kafka. */
@NullMarked
package millrace.gateway.accounts;

import org.jspecify.annotations.NullMarked;
