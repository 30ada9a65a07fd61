@NullMarked
package millrace.processor.rendering.format;

import org.jspecify.annotations.NullMarked;
