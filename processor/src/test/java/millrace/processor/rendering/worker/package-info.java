@NullMarked
package millrace.processor.rendering.worker;

import org.jspecify.annotations.NullMarked;
