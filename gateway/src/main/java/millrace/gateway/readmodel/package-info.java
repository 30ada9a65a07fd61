/** Reports and balances in memory, folded from the topics. Appends nothing. */
@NullMarked
package millrace.gateway.readmodel;

import org.jspecify.annotations.NullMarked;
