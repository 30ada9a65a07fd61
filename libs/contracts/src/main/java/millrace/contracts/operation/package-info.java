/** What operators see of processes, and what they ask processes to do. */
@NullMarked
package millrace.contracts.operation;

import org.jspecify.annotations.NullMarked;
