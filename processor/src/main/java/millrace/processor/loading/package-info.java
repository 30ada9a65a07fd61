/** Loading of data that the operator brings, and a look at what is there. Beside the running service, in a process of its own. */
@NullMarked
package millrace.processor.loading;

import org.jspecify.annotations.NullMarked;
