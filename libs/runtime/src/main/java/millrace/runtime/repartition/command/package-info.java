/** {@code millrace-admin repartition}. */
@NullMarked
package millrace.runtime.repartition.command;

import org.jspecify.annotations.NullMarked;
