@NullMarked
package millrace.processor.deletion;

import org.jspecify.annotations.NullMarked;
