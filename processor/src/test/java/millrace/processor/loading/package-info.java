@NullMarked
package millrace.processor.loading;

import org.jspecify.annotations.NullMarked;
