@NullMarked
package millrace.processor.switching;

import org.jspecify.annotations.NullMarked;
