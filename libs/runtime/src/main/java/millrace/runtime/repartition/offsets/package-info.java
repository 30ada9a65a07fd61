/** Translates what consumer groups have committed to offsets of other topics; pure. */
@NullMarked
package millrace.runtime.repartition.offsets;

import org.jspecify.annotations.NullMarked;
