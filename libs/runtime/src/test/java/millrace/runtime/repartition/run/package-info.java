@NullMarked
package millrace.runtime.repartition.run;

import org.jspecify.annotations.NullMarked;
