@NullMarked
package millrace.runtime.repartition.offsets;

import org.jspecify.annotations.NullMarked;
