@NullMarked
package millrace.processor.warehouse;

import org.jspecify.annotations.NullMarked;
