@NullMarked
package millrace.processor.importing;

import org.jspecify.annotations.NullMarked;
