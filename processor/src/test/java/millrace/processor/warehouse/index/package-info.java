@NullMarked
package millrace.processor.warehouse.index;

import org.jspecify.annotations.NullMarked;
