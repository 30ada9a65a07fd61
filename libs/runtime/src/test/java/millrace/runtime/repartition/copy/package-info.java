@NullMarked
package millrace.runtime.repartition.copy;

import org.jspecify.annotations.NullMarked;
