/** Reports and balances in memory, folded from the topics. Answers status and admission; appends nothing. */
@NullMarked
package millrace.gateway.readmodel;

import org.jspecify.annotations.NullMarked;
