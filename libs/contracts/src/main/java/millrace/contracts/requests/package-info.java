/** An accepted request and the query in it. */
@NullMarked
package millrace.contracts.requests;

import org.jspecify.annotations.NullMarked;
