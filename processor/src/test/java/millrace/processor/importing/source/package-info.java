@NullMarked
package millrace.processor.importing.source;

import org.jspecify.annotations.NullMarked;
