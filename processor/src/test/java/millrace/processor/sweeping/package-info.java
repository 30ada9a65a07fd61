@NullMarked
package millrace.processor.sweeping;

import org.jspecify.annotations.NullMarked;
