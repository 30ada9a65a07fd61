@NullMarked
package millrace.processor.rendering.intake;

import org.jspecify.annotations.NullMarked;
